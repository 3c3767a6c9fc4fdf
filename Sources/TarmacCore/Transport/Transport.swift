/// A transport sends one request to a server and returns its response.
///
/// A transport makes no decisions. It follows no redirects, stores no cookies and no responses, sends the
/// header fields that it receives, has no time limits of its own and retries nothing. The stages above it do
/// all of that, so that every transport behaves in the same way. `TransportConformance` in TarmacTesting checks
/// it.
public protocol Transport: Sendable {
    /// The name in events and errors, such as `AsyncHTTPClient`.
    var name: String { get }
    /// The capabilities of the transport. A request that needs another capability is refused before it is sent.
    var capabilities: TransportCapabilities { get }

    /// Sends a request. Returns at the end of the response body, or at the head if ``Exchange/delivery`` asks
    /// for a stream.
    ///
    /// - It registers with ``Exchange/onAbort(_:)`` how to end the exchange. After an abort it throws at once
    ///   and sends no more of the request.
    /// - It reports progress with ``Exchange/report(_:)``, at least for each chunk sent and received.
    /// - Throws: `TarmacError` with a code and a phase, and without a context. Any other error becomes
    ///   `.transportFailed`.
    func send(_ request: Request, exchange: Exchange) async throws -> Response

    /// Ends every exchange and closes every connection. Returns when that is done.
    func shutdown() async
}

/// Makes the transports of an engine, one for each service, environment and ``ConnectionSettings``.
public struct TransportFactory: Sendable {
    /// The transport's name.
    public let name: String
    /// Whether the transports of a client's services are made with the client, because tasks of earlier processes wait for them.
    package var opensWithClient = false
    private let make: @Sendable (ConnectionSettings) throws -> any Transport

    /// Makes a factory.
    ///
    /// `make` makes one transport. It throws `TarmacError(.unsupported)` with the name of a setting that the
    /// transport does not support.
    public init(name: String, make: @escaping @Sendable (ConnectionSettings) throws -> any Transport) {
        self.name = name
        self.make = make
    }

    /// Makes a transport for the given settings.
    ///
    /// - Throws: `TarmacError(.invalidOption)` with the name of an invalid setting, and the errors of the
    ///   closure.
    public func makeTransport(_ settings: ConnectionSettings) throws -> any Transport {
        if let fault = settings.fault { throw fault }
        return try make(settings)
    }
}
