#if NIO
import AsyncHTTPClient
@_spi(TarmacRooms) import TarmacCore
import TarmacResolver

/// The route of a request: direct, through a proxy, or over a Unix socket.
struct ConnectionRoute: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case direct
        case unixSocket(path: String)
        /// Plain HTTP through an HTTP proxy. The proxy is the peer and receives the absolute URL (RFC 9112
        /// §3.2.2).
        case forwarding(host: String, port: Int, authorization: String?)
        /// A tunnel made with CONNECT (RFC 9110 §9.3.6).
        case tunnel(host: String, port: Int, authorization: String?)
        case socks(host: String, port: Int)
    }

    let kind: Kind
    /// The address of the host, if the connection does not find it by itself.
    var address: HostAddress?

    init(_ proxy: ConnectionSettings.ProxySetting, unixSocket: String?, isSecure: Bool) {
        if let unixSocket {
            kind = .unixSocket(path: unixSocket)
            return
        }
        switch proxy {
        case .system, .none, .environment: kind = .direct
        case .socks(let host, let port): kind = .socks(host: host, port: port)
        case .http(let host, let port, let authorization):
            let credentials = authorization.map { HTTPClient.Authorization.basic(username: $0.user, password: $0.password).headerValue }
            kind =
                isSecure
                ? .tunnel(host: host, port: port, authorization: credentials)
                : .forwarding(host: host, port: port, authorization: credentials)
        }
    }

    var usesProxy: Bool {
        switch kind {
        case .direct, .unixSocket: false
        case .forwarding, .tunnel, .socks: true
        }
    }

    /// Whether a proxy is asked for each connection to a server.
    var asksProxy: Bool { clientProxy != nil }

    /// The proxy for AsyncHTTPClient.
    var clientProxy: HTTPClient.Configuration.Proxy? {
        switch kind {
        case .direct, .unixSocket, .forwarding: nil
        case .socks(let host, let port): .socksServer(host: host, port: port)
        case .tunnel(let host, let port, let authorization):
            .server(
                host: host, port: port,
                authorization: authorization.map { .basic(credentials: String($0.dropFirst("Basic ".count))) })
        }
    }

    /// The value of Proxy-Authorization for the request itself. In a tunnel, CONNECT carries the field.
    var requestAuthorization: String? {
        if case .forwarding(_, _, let authorization) = kind { authorization } else { nil }
    }

    func target(of url: HTTPURL) -> String {
        if case .forwarding = kind { url.string } else { url.requestTarget }
    }

    /// A host and the address that it has for a connection.
    struct Override: Hashable, Sendable {
        let host: String
        let address: HostAddress
    }

    func override(for url: HTTPURL) -> Override? { address.map { Override(host: url.host, address: $0) } }

    /// The other end of a connection.
    struct Hop: Hashable, Sendable {
        let scheme: String
        let host: String
        let port: Int?
    }

    /// Returns the peer of a request to `url`. Requests with the same peer share connections. Through a
    /// forwarding proxy or over a Unix socket, all requests have the same peer.
    func hop(to url: HTTPURL) -> Hop {
        switch kind {
        case .direct, .tunnel, .socks: Hop(scheme: url.scheme, host: url.host, port: url.port)
        case .forwarding(let host, let port, _): Hop(scheme: "http", host: host, port: port == 80 ? nil : port)
        case .unixSocket(let path): Hop(scheme: url.scheme, host: path, port: nil)
        }
    }

    /// Returns the URL of the connection's peer for AsyncHTTPClient.
    func peer(of url: HTTPURL) -> String {
        switch kind {
        case .direct, .tunnel, .socks: "\(url.scheme)://\(url.authority)/"
        case .forwarding(let host, let port, _): "http://\(host):\(port)/"
        case .unixSocket(let path): "\(url.scheme)+unix://\(Self.escaped(path))/"
        }
    }

    /// Returns the URL of the peer for a connection on which the caller adds TLS.
    func plainPeer(of url: HTTPURL) -> String {
        switch kind {
        case .direct, .tunnel, .socks: "http://\(address?.host ?? url.host):\(url.origin.port)/"
        case .forwarding, .unixSocket: peer(of: url).replacing("https", with: "http", maxReplacements: 1)
        }
    }

    /// Percent-encodes all characters but letters and digits, so that a path can be in the place of a URL's
    /// host.
    private static func escaped(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in path.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122: result.append(byte)
            default: result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
#endif
