#if NIO
import NIOCore

/// The path from an exchange to the handler of its connection. Any thread may use it.
struct ConnectionLink: Sendable {
    private let handler: NIOLoopBound<ExchangeHandler>
    private let eventLoop: any EventLoop

    init(_ handler: ExchangeHandler, on eventLoop: any EventLoop) {
        self.handler = NIOLoopBound(handler, eventLoop: eventLoop)
        self.eventLoop = eventLoop
    }

    /// Sends an exchange if the connection is still idle. Otherwise the exchange uses another connection.
    func carry(_ exchange: WireExchange, of lease: ConnectionLease) {
        eventLoop.execute { handler.value.carry(exchange, of: lease) }
    }

    /// Resumes reading after the reader has room again.
    func resumeReading(for exchange: WireExchange) {
        eventLoop.execute { handler.value.resumeReading(for: exchange) }
    }

    /// Sends a chunk of the request body. Returns when the connection has room for another chunk, and throws if
    /// it accepts no more.
    func send(_ chunk: ByteBuffer, of exchange: WireExchange) async throws {
        // SAFETY: the handler resumes it once: at once, when the connection has room again, or when it closes.
        try await withUnsafeThrowingContinuation { room in
            eventLoop.execute { handler.value.send(chunk, of: exchange, room: room) }
        }
    }

    /// Ends the request body.
    func finishBody(of exchange: WireExchange) {
        eventLoop.execute { handler.value.finishBody(of: exchange) }
    }
}
#endif
