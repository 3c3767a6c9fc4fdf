import TarmacCore

/// Writes a response's body into a partial file, and no more bytes than announced.
struct BodyWriter: Sendable {
    let partial: PartialFile
    /// The largest length of the partial file; `nil` if only the end of the body determines it.
    let end: Int64?
    /// The largest file that is accepted.
    let maximum: Int64
    /// Receives the length of each chunk.
    let wrote: @Sendable (Int) -> Void

    /// - Throws: `.truncatedBody` if the body ends early, `.bodyTooLarge` if it is longer than announced.
    func write(_ body: ResponseBody) async throws {
        switch body {
        case .bytes(let bytes): try write(bytes)
        case .stream(let stream): try await stream.pour { try write($0) }
        }
        if let end, partial.length < end {
            throw TarmacError(.truncatedBody, phase: .receiving, "the body ended \(end - partial.length) bytes before its announced end")
        }
    }

    private func write(_ chunk: Bytes) throws {
        let length = partial.length + Int64(chunk.count)
        if let end, length > end {
            throw TransferFault(TarmacError(.bodyTooLarge, phase: .receiving, "the server sent more bytes than it announced"))
        }
        guard length <= maximum else { throw TransferFault.tooLarge(maximum) }
        try partial.append(chunk)
        wrote(chunk.count)
    }
}
