/// Undoes one content coding, step by step, into buffers that the caller owns.
///
/// Not shared: one reader drives it.
protocol ContentInflater: AnyObject {
    /// Reads from `input`, writes to `output`, which has room for one byte at least. A step that does neither wants
    /// more input, or has come to the end.
    func step(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(TarmacError) -> InflateStep

    /// Told that there is no more input; throws `.undecodableContent` when the coded body stops in the middle.
    func finish() throws(TarmacError)
}

/// What one step has done.
struct InflateStep: Equatable {
    var consumed = 0
    var produced = 0

    static let idle = InflateStep()
}

extension ContentCoding {
    /// A fresh inflater for this coding.
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
            .inflatedBodyTooLarge, phase: .receiving, "the body inflates to more than the limit of \(limit) bytes",
            suggestion: "raise the limit for inflated bodies if this server is to be trusted")
    }
}
