#if NIO
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
}
#else
public import TarmacCore

extension TransportFactory {
    @available(*, unavailable, message: "enable the trait NIO of the package tarmac")
    public static var asyncHTTPClient: TransportFactory { preconditionFailure("unavailable") }
}
#endif
