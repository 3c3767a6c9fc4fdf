import Foundation
import TarmacCore
import TarmacConnection

/// Checks the proxy on a platform where libcurl always reads the environment.
struct ProxyRule {
    let setting: ConnectionSettings.ProxySetting
    /// The value of ``ConnectionSettings/proxiesLoopback``.
    var proxiesLoopback = false
    /// Whether the platform uses the environment variables by itself.
    var readsEnvironment = Platform.readsProxyEnvironment
    var environment = ProcessInfo.processInfo.environment

    /// Returns the error for a request that would use a proxy against the settings, or that would not use the
    /// proxy of the settings.
    func refusal(for url: HTTPURL) -> TarmacError? {
        switch setting {
        case .http, .socks: nil
        case .environment where readsEnvironment: !proxiesLoopback && url.isLoopback ? unwanted(for: url) : nil
        case .environment: .unsupported("proxy", "takes no proxy from the environment variables on this platform")
        case .none: readsEnvironment ? unwanted(for: url) : nil
        }
    }

    private func unwanted(for url: HTTPURL) -> TarmacError? {
        guard let variable = variable(for: url), !isExempt(url.host) else { return nil }
        return TarmacError(
            .unsupported, "proxy: URLSession obeys the environment variable \(variable) and cannot be told not to",
            suggestion: url.isLoopback
                ? "add \(url.host) to no_proxy, or choose proxy = .environment and proxiesLoopback = true"
                : "unset \(variable), set no_proxy, or choose proxy = .environment")
    }

    // curl reads http_proxy in lower case only, because the client sets the HTTP_PROXY of a CGI program.
    private func variable(for url: HTTPURL) -> String? {
        let names = (url.isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]) + ["all_proxy", "ALL_PROXY"]
        return names.first { !(environment[$0] ?? "").isEmpty }
    }

    private func isExempt(_ host: String) -> Bool {
        let list = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        return list.split(whereSeparator: { $0 == "," || $0 == " " }).contains { entry in
            let name = entry.drop { $0 == "." }.lowercased()
            return entry == "*" || host == name || host.hasSuffix("." + name) || host == "[\(name)]"
        }
    }
}
