extension ConnectionSettings {
    /// Finds the addresses of hosts.
    ///
    /// ```swift
    /// $0.resolver = .first([.https("https://dns.example/dns-query{?dns}", at: ["192.0.2.53"]), .system])
    /// ```
    /// The name stays that of the URL in TLS, for certificates and pins, and in the Host field. Addresses in URLs, `localhost`, and hosts
    /// behind a proxy, which finds them itself, need no resolver.
    public struct ResolverSetting: Hashable, Sendable, MaskedReflectable {
        package indirect enum Source: Hashable, Sendable {
            case system
            case fixed([String: [String]])
            case https(template: String, addresses: [String])
            case custom(Lookup)
            case first([ResolverSetting], limit: Duration)
        }

        package final class Lookup: Hashable, Sendable {
            package let ask: @Sendable (String) async throws -> String
            fileprivate init(_ ask: @escaping @Sendable (String) async throws -> String) { self.ask = ask }
            package static func == (one: Lookup, other: Lookup) -> Bool { one === other }
            package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
        }

        package let source: Source
        /// Whether an answer that has a private, local or reserved address for a public name counts as none: such a name can lead a
        /// request into the user's own network (DNS rebinding). Default: `false`.
        public var refusesPrivateAddresses = false

        private init(_ source: Source) { self.source = source }

        /// The system's resolver.
        public static let system = ResolverSetting(.system)

        /// The addresses of the given names, and of no other: `["shop.example": ["192.0.2.7", "2001:db8::7"]]`.
        public static func fixed(_ addresses: [String: [String]]) -> Self { Self(.fixed(addresses)) }

        /// A DNS server over HTTPS (RFC 8484), or over plain HTTP on this machine.
        ///
        /// - Parameters:
        ///   - template: the server's URL. With `{?dns}` at its end, questions are GET, otherwise POST.
        ///   - addresses: the addresses of the server. Its certificate must be for its name and be trusted by the system; pins apply.
        public static func https(_ template: String, at addresses: [String]) -> Self { Self(.https(template: template, addresses: addresses)) }

        /// A service of a vendor (HTTPDNS). The closure returns its answer to a name, in one of the common forms: JSON with `ips`, `ipsv6`
        /// and `ttl`, or a text such as `192.0.2.7;192.0.2.8,60`. The number is for how many seconds the answer counts; without it, 60.
        public static func custom(_ ask: @escaping @Sendable (_ name: String) async throws -> String) -> Self { Self(.custom(Lookup(ask))) }

        /// The first resolver that has an address. Each has `limit` for its answer. Default: 3 s.
        public static func first(_ resolvers: [Self], limit: Duration = .seconds(3)) -> Self { Self(.first(resolvers, limit: limit)) }

        public var description: String {
            switch source {
            case .system: "system"
            case .fixed(let addresses): "fixed (\(addresses.count) names)"
            case .https: "https"
            case .custom: "custom"
            case .first(let resolvers, _): "first of \(resolvers.map(\.description))"
            }
        }
    }
}
