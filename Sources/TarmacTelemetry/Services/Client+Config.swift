#if Telemetry
public import Configuration
public import TarmacCore
import TarmacResilience

extension Client {
    /// Creates a client with the settings that a configuration has.
    ///
    /// ```swift
    /// let config = ConfigReader(provider: EnvironmentVariablesProvider())        // SHOP_BASE_URL, SHOP_TIMEOUT, …
    /// let client = try Client(config: config.scoped(to: "shop"), transport: .asyncHTTPClient)
    /// ```
    /// Documentation/Telemetry.md has the table of the keys. A key that is absent leaves its setting as it is.
    ///
    /// - Parameters:
    ///   - config: the configuration, scoped to the keys of this client.
    ///   - transport: the transport.
    ///   - services: the backends. Without them, the key `baseURL` makes one.
    ///   - configure: sets the client's layer of settings, over those of the configuration.
    /// - Throws: `TarmacError(.invalidOption)` that names the key, and never its value.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public init(
        config: ConfigReader, transport: TransportFactory, services: [Service] = [], configure: (inout Options) -> Void = { _ in }
    ) throws(TarmacError) {
        let settings = ConfigSettings(config)
        let own = try settings.service()
        if own != nil, !services.isEmpty {
            throw ConfigSettings.invalid("baseURL", "makes a service, and the client has services already")
        }
        let layer = try settings.options()
        let environment = try settings.text("environment").map { ServiceEnvironment($0) } ?? .production
        self.init(
            transport: transport, services: own.map { [$0] } ?? services, environment: environment,
            concurrency: try settings.count("concurrency", from: 1) ?? 64
        ) {
            $0 = layer
            configure(&$0)
        }
    }
}
#endif
