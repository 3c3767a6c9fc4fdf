import TarmacCore

/// Makes the proxy dictionary for CFNetwork. An empty dictionary also disables the proxy of the system.
enum ProxyDictionary {
    static func make(_ proxy: ConnectionSettings.ProxySetting, proxiesLoopback: Bool) -> [AnyHashable: Any] {
        let dictionary: [AnyHashable: Any] =
            switch proxy {
            case .none, .environment: [:]
            case .http(let host, let port, _): http(host, port)
            case .socks(let host, let port): ["SOCKSEnable": 1, "SOCKSProxy": host, "SOCKSPort": port]
            }
        if dictionary.isEmpty || proxiesLoopback { return dictionary }
        return dictionary.merging(["ExceptionsList": ["localhost", "127.0.0.1", "127/8", "::1"]]) { $1 }
    }

    private static func http(_ host: String, _ port: Int) -> [AnyHashable: Any] {
        [
            "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": port,
            "HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": port,
        ]
    }
}
