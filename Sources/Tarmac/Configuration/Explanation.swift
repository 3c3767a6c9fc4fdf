/// Every setting of a call with its value and where it comes from; printable.
///
/// ```
/// timeout 15 s ← service shop, hides default 60 s
/// ```
public struct Explanation: Sendable, CustomStringConvertible {
    /// One setting.
    public struct Setting: Sendable, CustomStringConvertible {
        public let name: String
        public let value: String
        /// The layer that decides it; for settings that add up, the uppermost that adds.
        public let origin: Origin
        /// What lower layers say and this value hides or adds to, uppermost first.
        public let hidden: [(origin: Origin, value: String)]

        public var description: String {
            let below = hidden.map { "\($0.origin) \($0.value)" }.joined(separator: ", ")
            return "\(name) \(value) ← \(origin)" + (below.isEmpty ? "" : ", hides \(below)")
        }
    }

    /// The request line, with secrets masked; the fault's description when the request cannot be built.
    public let request: String
    /// All settings by name.
    public let settings: [Setting]

    public subscript(name: String) -> Setting? { settings.first { $0.name == name } }

    public var description: String {
        ([request] + settings.map { "  \($0)" }).joined(separator: "\n")
    }
}

extension ResolvedOptions {
    func settings() -> [Explanation.Setting] {
        let builtIn = OptionCatalogue.all.map { $0.setting(in: self) }
        let known = Set(builtIn.map(\.name))
        return builtIn + customSettings().filter { !known.contains($0.name) }
    }

    private func customSettings() -> [Explanation.Setting] {
        let names = Set(layers.flatMap { $0.options.entries.values.map(\.name) })
        return names.sorted().compactMap { name in
            let said = layers.reversed().compactMap { layer in
                layer.options.entries.values.first { $0.name == name }.map { (origin: layer.origin, value: $0.description) }
            }
            guard let top = said.first else { return nil }
            return Explanation.Setting(name: name, value: top.value, origin: top.origin, hidden: Array(said.dropFirst()))
        }
    }
}

/// The built-in settings in the order `explain` prints them.
enum OptionCatalogue {
    static let all: [any BuiltInOption.Type] = [
        Timeout.self, ConnectTimeout.self, QueueTimeout.self, IdleTimeout.self, Deadline.self, SlowCall.self,
        Headers.self, UserAgentOption.self, HostOption.self,
        FailoverOption.self, RetryOption.self, IdempotencyKeyOption.self, HedgeOption.self, WaitsForConnectivity.self,
        CircuitBreakerOption.self, RateLimitOption.self,
        SubPathOption.self, URLFilters.self, AllowsInsecureHTTP.self, AllowsCellularAccess.self,
        AllowsExpensiveNetworkAccess.self, AllowsConstrainedNetworkAccess.self, QueryOption.self, BodyFormatOption.self,
        CommonParameters.self, ParameterTransforms.self, PriorityOption.self, Coalesces.self, CacheOption.self,
        CacheStoreOption.self, CacheSensitiveDataOption.self, CacheAppVersionOption.self, CookiesOption.self, Redirects.self, AcceptsCompression.self,
        SecretNames.self, EventsOption.self, MaximumBodySize.self, MaximumInflatedSize.self, MaximumRecordSize.self, AcceptableStatusOption.self,
        AcceptableContentTypesOption.self, EnvelopeOption.self, ChecksEnvelope.self, ShapeOption.self, DecoderOption.self, EncoderOption.self,
        EncryptionOption.self, SigningOption.self, VerificationOption.self,
        Interceptors.self, AttemptInterceptors.self, Observers.self, MapError.self,
        PresenterOption.self, PresentationHostOption.self, ShowsLoading.self, PresentsErrors.self, Hooks.self, Tags.self, UserInfoOption.self,
        AuthenticatorOption.self, PrincipalOption.self,
    ]
}

extension BuiltInOption {
    fileprivate static func setting(in options: ResolvedOptions) -> Explanation.Setting {
        let said = options.layers.reversed().compactMap { layer in
            layer.options[Self.self].map { (origin: layer.origin, value: describe($0)) }
        }
        let standard = (origin: Origin.default, value: describe(defaultValue))
        return Explanation.Setting(
            name: name, value: describe(options.values[keyPath: field]), origin: said.first?.origin ?? .default,
            hidden: said.isEmpty ? [] : said.dropFirst() + [standard])
    }
}
