/// The measurements of a transport about the connection of one request. Each value is `nil` if the transport cannot tell it.
///
/// A transport reports it with ``Exchange/Report/network(_:)``. Its spans replace those that ``AttemptTimings`` makes of the other
/// reports.
public struct NetworkTimings: Sendable {
    package struct Fields: Sendable {
        var nameResolution, connect, tls, send, wait, receive: Duration?
        var isReused: Bool?
        package var remoteAddress: String?
        var version: ProtocolVersion?
    }
    // One reference, because an exchange keeps it and most requests reuse a connection.
    private let storage: CopyOnWrite<Fields>
    package var fields: Fields { storage.value }

    /// Makes timings.
    ///
    /// - Parameters:
    ///   - nameResolution: the time until the host's addresses were known.
    ///   - connect: the time until the TCP or QUIC connection was established, without TLS if that is known.
    ///   - tls: the time of the TLS handshake.
    ///   - send: the time from the first to the last byte of the request.
    ///   - wait: the time from the last byte of the request to the first byte of the response.
    ///   - receive: the time from the first to the last byte of the response.
    ///   - isReused: whether the connection carried a request before.
    ///   - remoteAddress: the address of the server or the proxy, with its port, such as `192.0.2.1:443`.
    ///   - version: the version of HTTP.
    public init(
        nameResolution: Duration? = nil, connect: Duration? = nil, tls: Duration? = nil, send: Duration? = nil, wait: Duration? = nil,
        receive: Duration? = nil, isReused: Bool? = nil, remoteAddress: String? = nil, version: ProtocolVersion? = nil
    ) {
        storage = CopyOnWrite(
            Fields(
                nameResolution: nameResolution, connect: connect, tls: tls, send: send, wait: wait, receive: receive,
                isReused: isReused, remoteAddress: remoteAddress, version: version))
    }
}
