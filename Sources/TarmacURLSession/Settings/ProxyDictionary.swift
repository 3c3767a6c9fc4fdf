import TarmacCore

/// Makes the proxy dictionary for CFNetwork.
enum ProxyDictionary {
    /// Returns `nil` to leave the system's proxy in place, with the exceptions that the system has. An empty
    /// dictionary means no proxy.
    static func make(_ proxy: ConnectionSettings.ProxySetting, proxiesLoopback: Bool) -> [AnyHashable: Any]? {
        let dictionary: [AnyHashable: Any]
        switch proxy {
        case .system: return nil
        case .none, .environment: return [:]
        case .http(let host, let port, _): dictionary = http(host, port)
        case .socks(let host, let port): dictionary = ["SOCKSEnable": 1, "SOCKSProxy": host, "SOCKSPort": port]
        }
        if proxiesLoopback { return dictionary }
        return dictionary.merging(["ExceptionsList": ["localhost", "127.0.0.1", "127/8", "::1"]]) { $1 }
    }

    private static func http(_ host: String, _ port: Int) -> [AnyHashable: Any] {
        [
            "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": port,
            "HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": port,
        ]
    }
}
