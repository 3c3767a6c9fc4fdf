package import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The proxies of an environment as libcurl reads them: `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`, with
/// lower case before upper case. An empty variable counts as missing.
package struct ProxyEnvironment: Sendable {
    private let variables: [String: String]
    private let exceptions: ProxyExceptions

    /// The current environment of this process.
    package static var process: ProxyEnvironment { ProxyEnvironment(ProcessInfo.processInfo.environment) }

    package init(_ variables: [String: String]) {
        self.variables = variables.filter { !$0.value.isEmpty }
        exceptions = ProxyExceptions(self.variables["no_proxy"] ?? self.variables["NO_PROXY"] ?? "")
    }

    /// Returns the proxy for a URL. `.none` if there is none or if `no_proxy` lists the host.
    ///
    /// - Throws: `TarmacError(.invalidOption)` for a proxy that cannot be parsed, and `.unsupported` for a kind
    ///   of proxy that no transport supports. The error names the variable and never its value, which may hold
    ///   a password.
    package func proxy(for url: HTTPURL) throws(TarmacError) -> ConnectionSettings.ProxySetting {
        guard let name = variable(for: url), let value = variables[name] else { return .none }
        return try ProxyURLParser(variable: name).parse(value)
    }

    /// Returns the name of the variable with the proxy for a URL, or `nil` if there is none or `no_proxy` lists the
    /// host.
    package func variable(for url: HTTPURL) -> String? {
        // A web server passes the Proxy field of a request to CGI programs as HTTP_PROXY (httpoxy), so it is not read.
        let names = (url.isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]) + ["all_proxy", "ALL_PROXY"]
        guard let name = names.first(where: { variables[$0] != nil }), !exceptions.contain(url.host) else { return nil }
        return name
    }
}
