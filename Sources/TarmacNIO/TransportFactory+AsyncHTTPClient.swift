#if NIO
public import NIOCore
public import TarmacCore

extension TransportFactory {
    /// The connections of AsyncHTTPClient: HTTP/1.1, HTTP/2, TLS by BoringSSL, proxies and Unix sockets, on
    /// every platform.
    ///
    /// ```swift
    /// let client = Client(transport: .asyncHTTPClient, services: [.shop])
    /// ```
    public static var asyncHTTPClient: TransportFactory {
        TransportFactory(name: AsyncHTTPClientTransport.name) { try AsyncHTTPClientTransport($0) }
    }

    /// The connections of AsyncHTTPClient on event loops of the app's own. The app shuts the group down, after the client.
    public static func asyncHTTPClient(on group: any EventLoopGroup) -> TransportFactory {
        TransportFactory(name: AsyncHTTPClientTransport.name) { try AsyncHTTPClientTransport($0, group: group) }
    }
}
#else
public import TarmacCore

extension TransportFactory {
    @available(*, unavailable, message: "enable the trait NIO of the package tarmac")
    public static var asyncHTTPClient: TransportFactory { preconditionFailure("unavailable") }
}
#endif
