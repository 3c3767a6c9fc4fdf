package import TarmacCore

extension ConnectionSettings {
    /// Whether a URL never uses a proxy over a transport that does not know the system's.
    package func bypassesProxy(_ url: HTTPURL) -> Bool { proxy == .none || proxy == .system || !proxiesLoopback && url.isLoopback }
}
