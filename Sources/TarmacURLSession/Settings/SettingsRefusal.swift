@_spi(TarmacRooms) import TarmacCore

/// Refuses connection settings that `URLSession` does not support.
struct SettingsRefusal {
    /// The abilities of the platform. They are a parameter, so that tests can check both values on every
    /// platform.
    struct Abilities {
        var customTrust: Bool
        var explicitProxy: Bool
        /// Whether the platform gives access to the certificates of the server.
        var showsCertificates: Bool
        /// Whether the platform reads PKCS #12.
        var clientIdentity: Bool

        fileprivate func takes(_ identity: ClientIdentity) -> Bool {
            switch identity.source {
            case .pkcs12, .keychain, .held: clientIdentity
            case .pem, .pemFiles: false
            }
        }
    }

    let abilities: Abilities

    /// Returns the error for the first setting that is not supported.
    func check(_ settings: ConnectionSettings) -> TarmacError? {
        checkProtocol(settings) ?? checkTrust(settings) ?? checkProxy(settings.proxy)
    }

    private func checkProtocol(_ settings: ConnectionSettings) -> TarmacError? {
        if settings.unixSocket != nil { return .unsupported("unixSocket", "cannot connect to a Unix domain socket") }
        if settings.httpVersions == .http1Only {
            return .unsupported("httpVersions", "negotiates HTTP/2 by itself and cannot be told not to")
        }
        if settings.idleConnectionTimeout != ConnectionSettings().idleConnectionTimeout {
            return .unsupported("idleConnectionTimeout", "decides by itself how long it keeps connections")
        }
        let connections: [(name: String, isSet: Bool)] = [
            ("usesPerConnection", settings.usesPerConnection != nil), ("connectionLifetime", settings.connectionLifetime != nil),
            ("http2ConnectionsPerHost", settings.http2ConnectionsPerHost != 1),
        ]
        if let name = connections.first(where: \.isSet)?.name {
            return .unsupported(name, "decides by itself how many connections it opens and how long it keeps them")
        }
        if settings.resolver != .system { return .unsupported("resolver", "finds the addresses of hosts by itself") }
        if settings.localAddress != nil { return .unsupported("localAddress", "binds its connections to no address") }
        if let count = settings.connectionsPerHost, count < 1 {
            return TarmacError(.invalidOption, "connectionsPerHost is \(count); it must be at least 1")
        }
        return nil
    }

    private func checkTrust(_ settings: ConnectionSettings) -> TarmacError? {
        if let identity = settings.clientIdentity, !abilities.takes(identity) {
            return .unsupported("clientIdentity", "takes no certificate with a key in PEM form, and none at all on Linux")
        }
        if settings.rotation != nil { return .unsupported("rotation", "takes its certificates once") }
        if settings.trust != .system, !abilities.customTrust {
            return .unsupported("trust", "verifies certificates against the system's roots and nothing else on this platform")
        }
        if !abilities.showsCertificates {
            if settings.pins != .none { return .unsupported("pins", "does not show the server's certificates on this platform") }
            if settings.insecurelySkipsHostName {
                return .unsupported("insecurelySkipsHostName", "checks the host's name and cannot be told not to on this platform")
            }
        }
        return nil
    }

    private func checkProxy(_ proxy: ConnectionSettings.ProxySetting) -> TarmacError? {
        switch proxy {
        case .system, .none, .environment: nil
        case .http, .socks:
            abilities.explicitProxy
                ? nil : .unsupported("proxy", "takes its proxy from the environment variables only on this platform")
        }
    }
}

extension TarmacError {
    /// Returns the error for a setting that `URLSession` does not support.
    static func unsupported(_ setting: String, _ reason: String) -> TarmacError {
        TarmacError(
            .unsupported, "\(setting): URLSession \(reason)",
            suggestion: "use the transport of TarmacNIO, or leave \(setting) at its default")
    }
}
