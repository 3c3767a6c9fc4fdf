package import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The proxies of an environment as curl reads them: `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`,
/// with lower case before upper case.
package struct ProxyEnvironment: Sendable {
    private let variables: [String: String]
    private let exceptions: ProxyExceptions

    /// The current environment of this process.
    package static var process: ProxyEnvironment { ProxyEnvironment(ProcessInfo.processInfo.environment) }

    package init(_ variables: [String: String]) {
        self.variables = variables
        exceptions = ProxyExceptions(variables["no_proxy"] ?? variables["NO_PROXY"] ?? "")
    }

    /// Returns the proxy for a URL. `.none` if there is none or if `no_proxy` lists the host.
    ///
    /// - Throws: `TarmacError(.invalidOption)` for a proxy that cannot be parsed, and `.unsupported` for a kind
    ///   of proxy that no transport supports. The error names the variable and never its value, which may hold
    ///   a password.
    package func proxy(for url: HTTPURL) throws(TarmacError) -> ConnectionSettings.ProxySetting {
        guard let (name, value) = variable(for: url.scheme), !exceptions.contain(url.host) else { return .none }
        return try ProxyURLParser(variable: name).parse(value)
    }

    private func variable(for scheme: String) -> (name: String, value: String)? {
        for name in ["\(scheme)_proxy", "\(scheme.uppercased())_PROXY", "all_proxy", "ALL_PROXY"] {
            // A web server passes the Proxy field of a request to CGI programs as HTTP_PROXY (httpoxy).
            if name == "HTTP_PROXY", variables["REQUEST_METHOD"] != nil { continue }
            // An empty variable means that there is no proxy. Later variables do not count.
            if let value = variables[name] { return value.isEmpty ? nil : (name, value) }
        }
        return nil
    }
}
