#if NIO
import AsyncHTTPClient
import TarmacCore

/// The way a request takes: straight, through a proxy, or over a Unix socket.
struct ConnectionRoute: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case direct
        case unixSocket(path: String)
        /// Plain http through an HTTP proxy: the proxy is the peer and gets the absolute URL (RFC 9112 §3.2.2).
        case forwarding(host: String, port: Int, authorization: String?)
        /// A tunnel made with CONNECT (RFC 9110 §9.3.6).
        case tunnel(host: String, port: Int, authorization: String?)
        case socks(host: String, port: Int)
    }

    let kind: Kind

    init(_ proxy: ConnectionSettings.ProxySetting, unixSocket: String?, isSecure: Bool) {
        if let unixSocket {
            kind = .unixSocket(path: unixSocket)
            return
        }
        switch proxy {
        case .none, .environment: kind = .direct
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

    /// The proxy AsyncHTTPClient is to go through.
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

    /// What goes into Proxy-Authorization of the request itself; in a tunnel CONNECT carries it.
    var requestAuthorization: String? {
        if case .forwarding(_, _, let authorization) = kind { authorization } else { nil }
    }

    func target(of url: HTTPURL) -> String {
        if case .forwarding = kind { url.string } else { url.requestTarget }
    }

    /// The other end of a connection.
    struct Hop: Hashable, Sendable {
        let scheme: String
        let host: String
        let port: Int?
    }

    /// Whom a request to `url` shares connections with: through a forwarding proxy all requests, over a Unix socket too.
    func hop(to url: HTTPURL) -> Hop {
        switch kind {
        case .direct, .tunnel, .socks: Hop(scheme: url.scheme, host: url.host, port: url.port)
        case .forwarding(let host, let port, _): Hop(scheme: "http", host: host, port: port == 80 ? nil : port)
        case .unixSocket(let path): Hop(scheme: url.scheme, host: path, port: nil)
        }
    }

    /// The URL of the peer that a connection is made to, as AsyncHTTPClient wants it.
    func peer(of url: HTTPURL) -> String {
        switch kind {
        case .direct, .tunnel, .socks: "\(url.scheme)://\(url.authority)/"
        case .forwarding(let host, let port, _): "http://\(host):\(port)/"
        case .unixSocket(let path): "\(url.scheme)+unix://\(Self.escaped(path))/"
        }
    }

    /// The same for a connection on which TLS is laid from here.
    func plainPeer(of url: HTTPURL) -> String {
        switch kind {
        case .direct, .tunnel, .socks: "http://\(url.host):\(url.origin.port)/"
        case .forwarding, .unixSocket: peer(of: url).replacing("https", with: "http", maxReplacements: 1)
        }
    }

    /// Percent-encodes everything but letters and digits, so that a path can stand where a URL has its host.
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
