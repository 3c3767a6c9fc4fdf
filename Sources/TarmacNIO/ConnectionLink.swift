#if NIO
import NIOCore

/// The way from an exchange to the handler of the connection that carries it, from any thread.
struct ConnectionLink: Sendable {
    private let handler: NIOLoopBound<ExchangeHandler>
    private let eventLoop: any EventLoop

    init(_ handler: ExchangeHandler, on eventLoop: any EventLoop) {
        self.handler = NIOLoopBound(handler, eventLoop: eventLoop)
        self.eventLoop = eventLoop
    }

    /// Sends an exchange, if the connection still waits for one; sends the exchange elsewhere if not.
    func carry(_ exchange: WireExchange, of lease: ConnectionLease) {
        eventLoop.execute { handler.value.carry(exchange, of: lease) }
    }

    /// The reader has room again.
    func resumeReading(for exchange: WireExchange) {
        eventLoop.execute { handler.value.resumeReading(for: exchange) }
    }

    /// Sends a chunk of the request's body; returns when the connection has room for another, throws when it wants none.
    func send(_ chunk: ByteBuffer, of exchange: WireExchange) async throws {
        // SAFETY: the handler resumes it once: at once, when the connection has room again, or when it closes.
        try await withUnsafeThrowingContinuation { room in
            eventLoop.execute { handler.value.send(chunk, of: exchange, room: room) }
        }
    }

    /// The request's body is complete.
    func finishBody(of exchange: WireExchange) {
        eventLoop.execute { handler.value.finishBody(of: exchange) }
    }
}
#endif
