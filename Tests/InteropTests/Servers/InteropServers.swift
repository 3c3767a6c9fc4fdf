#if Tools
import Foundation
import Testing

/// The servers `scripts/interop` started; without it every suite here is skipped and says so.
struct InteropServers: Sendable {
    let nginx: String
    let nginxTLS: String
    let nginxHTTP2: String
    let httpbin: String
    /// The PEM file of the authority behind the two TLS servers.
    let authority: String
    /// The file nginx serves as `/large.bin`.
    let largeFile: String

    static let started: InteropServers? = InteropServers(ProcessInfo.processInfo.environment)
    static let whereFrom: Comment = "the servers run under scripts/interop only"

    private init?(_ environment: [String: String]) {
        guard let nginx = environment["TARMAC_INTEROP_NGINX"], let nginxTLS = environment["TARMAC_INTEROP_NGINX_TLS"],
            let nginxHTTP2 = environment["TARMAC_INTEROP_NGINX_HTTP2"], let httpbin = environment["TARMAC_INTEROP_HTTPBIN"],
            let authority = environment["TARMAC_INTEROP_CA"], let largeFile = environment["TARMAC_INTEROP_LARGE"]
        else { return nil }
        self.nginx = nginx
        self.nginxTLS = nginxTLS
        self.nginxHTTP2 = nginxHTTP2
        self.httpbin = httpbin
        self.authority = authority
        self.largeFile = largeFile
    }

    static func required() throws -> InteropServers { try #require(started) }
}

extension Trait where Self == ConditionTrait {
    /// Runs only where `scripts/interop` has started the servers.
    static var interop: Self { .enabled(if: InteropServers.started != nil, InteropServers.whereFrom) }
}
#endif
