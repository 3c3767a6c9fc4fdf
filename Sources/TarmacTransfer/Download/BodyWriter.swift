import TarmacCore

/// Writes what an answer brings into a partial file, no more than was announced.
struct BodyWriter: Sendable {
    let partial: PartialFile
    /// How long the partial file may become; `nil` when only the end of the body tells.
    let end: Int64?
    /// The longest file that is taken.
    let maximum: Int64
    /// Told the length of each chunk.
    let wrote: @Sendable (Int) -> Void

    /// - Throws: `.truncatedBody` when the body ends early, `.bodyTooLarge` when it does not end where it should.
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
