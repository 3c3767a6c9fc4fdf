import TarmacCore

/// Answers no request, until it is cancelled.
private struct SilentTransport: Transport {
    var name: String { "silent" }
    var capabilities: TransportCapabilities { [] }

    func send(_ request: TarmacCore.Request, exchange: Exchange) async throws -> TarmacCore.Response {
        try await untilCancelled()
    }

    func shutdown() async {}
}

extension TransportFactory {
    static var silent: TransportFactory { TransportFactory(name: "silent") { _ in SilentTransport() } }
}

/// Throws once the task is cancelled.
func untilCancelled() async throws -> Never {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    continuation.finish()
    throw CancellationError()
}
