package import TarmacCore

extension ConnectionSettings {
    /// Whether a URL never uses a proxy, whatever the value of ``proxy``.
    package func bypassesProxy(_ url: HTTPURL) -> Bool { proxy == .none || !proxiesLoopback && url.isLoopback }
}
