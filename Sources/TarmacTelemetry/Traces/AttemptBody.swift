#if Telemetry
@_spi(TarmacRooms) import TarmacCore

/// A streamed body that ends its attempt. It passes each chunk on as it arrives and reads nothing by itself.
final class AttemptBody: PouringSource {
    private let source: any ByteStreamSource
    private let attempt: OpenAttempt

    private init(_ source: any ByteStreamSource, _ attempt: OpenAttempt) { (self.source, self.attempt) = (source, attempt) }

    /// The stream holds the attempt, so that a body that is never read ends it too.
    static func wrap(_ stream: ByteStream, _ attempt: OpenAttempt) -> ByteStream {
        ByteStream { AttemptBody(stream.makeSource(), attempt) }
    }

    func next() async throws -> Bytes? {
        do {
            let chunk = try await source.next()
            if chunk == nil { attempt.end() }
            return chunk
        } catch {
            attempt.end(error)
            throw error
        }
    }

    func pour(into sink: @escaping @Sendable (Bytes) throws -> Void) async throws {
        do {
            try await source.pourAll(into: sink)
            attempt.end()
        } catch {
            attempt.end(error)
            throw error
        }
    }
}
#endif
