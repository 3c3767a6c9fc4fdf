#if NIO
import NIOCore
import TarmacCore

/// The reader's end of a streamed response body. If it is released before the end, the exchange ends.
final class StreamedBody: ByteStreamSource {
    private let wire: WireExchange

    init(_ wire: WireExchange) { self.wire = wire }

    deinit { wire.abandonBody() }

    func next() async throws -> Bytes? {
        if Task.isCancelled { wire.exchange.abort(.cancelled) }
        if let ready = try wire.nextChunk() { return ready.bytes }
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { wire.waitForChunk($0) }
        } onCancel: {
            wire.exchange.abort(.cancelled)
        }
    }

    /// A chunk or the end.
    enum Ready {
        case chunk(Bytes)
        case end

        var bytes: Bytes? { if case .chunk(let bytes) = self { bytes } else { nil } }
    }
}
#endif
