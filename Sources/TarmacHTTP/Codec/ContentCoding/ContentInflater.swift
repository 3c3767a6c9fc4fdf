/// Decodes one content coding, step by step, into buffers of the caller.
///
/// An inflater is not shared: it has one reader.
protocol ContentInflater: AnyObject {
    /// Reads from `input` and writes to `output`, which has room for at least one byte. A step that does
    /// neither needs more input or has reached the end.
    func step(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(TarmacError) -> InflateStep

    /// Ends the input.
    ///
    /// - Throws: `.undecodableContent` if the coded body is incomplete.
    func finish() throws(TarmacError)
}

/// The result of one step.
struct InflateStep: Equatable {
    var consumed = 0
    var produced = 0

    static let idle = InflateStep()
}

extension ContentCoding {
    /// Returns a new inflater for this coding.
    func makeInflater() throws(TarmacError) -> any ContentInflater {
        switch self {
        case .gzip: ZlibInflater(.gzip)
        case .deflate: ZlibInflater(.deflate)
        case .brotli: try PlatformCodings.makeBrotliInflater()
        }
    }

    func damaged(_ reason: String) -> TarmacError {
        TarmacError(.undecodableContent, phase: .receiving, "the \(rawValue) body is damaged: \(reason)")
    }

    var truncated: TarmacError {
        TarmacError(.undecodableContent, phase: .receiving, "the \(rawValue) body stops in the middle")
    }
}

extension TarmacError {
    static func inflatedBodyTooLarge(limit: Int) -> TarmacError {
        TarmacError(
            .bodyTooLarge, phase: .receiving, "the body inflates to more than the limit of \(limit) bytes",
            suggestion: "raise the limit for inflated bodies if this server is to be trusted")
    }
}
