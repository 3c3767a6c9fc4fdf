#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The proxies an environment names, read as curl reads them: `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`,
/// lower case before upper case.
package struct ProxyEnvironment: Sendable {
    private let variables: [String: String]
    private let exceptions: ProxyExceptions

    /// The environment of this process, at this moment.
    package static var process: ProxyEnvironment { ProxyEnvironment(ProcessInfo.processInfo.environment) }

    package init(_ variables: [String: String]) {
        self.variables = variables
        exceptions = ProxyExceptions(variables["no_proxy"] ?? variables["NO_PROXY"] ?? "")
    }

    /// The proxy for a URL; `.none` without one or when `no_proxy` lists the host.
    ///
    /// Throws `TarmacError(.invalidOption)` for a proxy that cannot be understood and `.unsupported` for a kind that no
    /// transport speaks, each naming the variable and never its value, which may hold a password.
    package func proxy(for url: HTTPURL) throws(TarmacError) -> ConnectionSettings.ProxySetting {
        guard let (name, value) = variable(for: url.scheme), !exceptions.contain(url.host) else { return .none }
        return try ProxyURLParser(variable: name).parse(value)
    }

    private func variable(for scheme: String) -> (name: String, value: String)? {
        for name in ["\(scheme)_proxy", "\(scheme.uppercased())_PROXY", "all_proxy", "ALL_PROXY"] {
            // A web server puts a request's Proxy field into HTTP_PROXY of the CGI programs it runs (httpoxy).
            if name == "HTTP_PROXY", variables["REQUEST_METHOD"] != nil { continue }
            // An empty variable says that there is no proxy, whatever the following ones say.
            if let value = variables[name] { return value.isEmpty ? nil : (name, value) }
        }
        return nil
    }
}
