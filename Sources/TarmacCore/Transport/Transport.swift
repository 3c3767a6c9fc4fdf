/// What carries one request to the server and one response back.
///
/// A transport makes no decision: it follows no redirect, keeps no cookie and no cache, sends the header fields it is
/// given, sets no time limit of its own and retries nothing. All that is done above it, so that every transport behaves
/// the same; `TransportConformance` in TarmacTesting checks it.
public protocol Transport: Sendable {
    /// The name in events and errors, such as `AsyncHTTPClient`.
    var name: String { get }
    /// What this transport can do; asking for anything else is refused before it is sent.
    var capabilities: TransportCapabilities { get }

    /// Sends `request` and returns at the end of the response's body, or at its head when
    /// ``Exchange/delivery`` asks for a stream.
    ///
    /// - Registers how to end the exchange with ``Exchange/onAbort(_:)``; after an abort it throws at once and nothing
    ///   more of the request is sent.
    /// - Reports progress through ``Exchange/report(_:)``, at least every chunk sent and received.
    /// - Throws `TarmacError` with a code and phase, and without context; anything else becomes `.transportFailed`.
    func send(_ request: Request, exchange: Exchange) async throws -> Response

    /// Ends every exchange and closes every connection; returns when that is done.
    func shutdown() async
}

/// How an engine makes its transports, one for each service, environment and ``ConnectionSettings``.
public struct TransportFactory: Sendable {
    /// The transport's name.
    public let name: String
    private let make: @Sendable (ConnectionSettings) throws -> any Transport

    /// - Parameter make: makes one transport; throws `TarmacError(.unsupported)` naming a setting it cannot honour.
    public init(name: String, make: @escaping @Sendable (ConnectionSettings) throws -> any Transport) {
        self.name = name
        self.make = make
    }

    /// Makes a transport for the given settings. Throws `TarmacError(.invalidOption)` naming one that means nothing.
    public func makeTransport(_ settings: ConnectionSettings) throws -> any Transport {
        if let fault = settings.fault { throw fault }
        return try make(settings)
    }
}
