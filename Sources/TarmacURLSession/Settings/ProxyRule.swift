import TarmacConnection
import TarmacCore

/// Checks the proxy on a platform where libcurl always reads the environment.
struct ProxyRule {
    let setting: ConnectionSettings.ProxySetting
    /// The value of ``ConnectionSettings/proxiesLoopback``.
    var proxiesLoopback = false
    /// Whether the platform uses the environment variables by itself.
    var readsEnvironment = Platform.readsProxyEnvironment
    var environment = ProxyEnvironment.process

    /// Returns the error for a request that would use a proxy against the settings, or that would not use the
    /// proxy of the settings.
    func refusal(for url: HTTPURL) -> TarmacError? {
        switch setting {
        case .http, .socks: nil
        case .environment where readsEnvironment: !proxiesLoopback && url.isLoopback ? unwanted(for: url) : nil
        case .environment: .unsupported("proxy", "takes no proxy from the environment variables on this platform")
        case .system, .none: readsEnvironment ? unwanted(for: url) : nil
        }
    }

    /// Whether a request reaches its server through a tunnel that the platform opens. Foundation delivers the head of the
    /// proxy's answer to CONNECT, and then that of the server.
    func tunnels(to url: HTTPURL) -> Bool { readsEnvironment && url.isSecure && environment.variable(for: url) != nil }

    private func unwanted(for url: HTTPURL) -> TarmacError? {
        guard let variable = environment.variable(for: url) else { return nil }
        return TarmacError(
            .unsupported, "proxy: URLSession obeys the environment variable \(variable) and cannot be told not to",
            suggestion: url.isLoopback
                ? "add \(url.host) to no_proxy, or choose proxy = .environment and proxiesLoopback = true"
                : "unset \(variable), set no_proxy, or choose proxy = .environment")
    }
}
