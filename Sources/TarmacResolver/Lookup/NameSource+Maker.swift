@_spi(TarmacRooms) import TarmacCore

extension NameSource {
    /// Makes the resolver of a setting, and refuses one that cannot be used before anything is sent.
    struct Maker {
        let settings: ConnectionSettings
        let time: any TimeSource
        let makeTransport: (ConnectionSettings) throws -> any Transport

        /// The maximum number of resolvers in a list, and of lists in lists.
        private static let listLimit = 8, depthLimit = 3

        func make(_ resolver: ConnectionSettings.ResolverSetting, refuses: Bool = false, depth: Int = 0) throws -> NameSource {
            let refuses = refuses || resolver.refusesPrivateAddresses
            return NameSource(kind: try kind(resolver.source, refuses, depth), refusesPrivateAddresses: refuses, time: time)
        }

        private func kind(_ source: ConnectionSettings.ResolverSetting.Source, _ refuses: Bool, _ depth: Int) throws -> Kind {
            switch source {
            case .system: return .system
            case .fixed(let names): return .fixed(try fixed(names))
            case .https(let template, let addresses): return .server(try server(template, addresses))
            case .custom(let lookup): return .vendor(lookup.ask)
            case .first(let resolvers, let limit):
                guard (1...Self.listLimit).contains(resolvers.count), depth < Self.depthLimit else {
                    throw Self.invalid("a list has 1 to \(Self.listLimit) resolvers, and lists in it at most \(Self.depthLimit - 1) deep")
                }
                guard limit > .zero else { throw Self.invalid("its limit must be greater than zero") }
                return .first(try resolvers.map { try make($0, refuses: refuses, depth: depth + 1) }, limit: limit)
            }
        }

        private func fixed(_ names: [String: [String]]) throws -> [String: [HostAddress]] {
            var known: [String: [HostAddress]] = [:]
            for (name, addresses) in names {
                // As the host of a URL is written, so that names beyond ASCII are found.
                guard let url = try? HTTPURL("https://\(name)/"), url.path == "/", url.port == nil, url.query == nil else {
                    throw Self.invalid("\"\(name)\" is no name of a host")
                }
                known[Self.asked(url.host)] = try addresses.map(Self.address)
            }
            return known
        }

        private func server(_ template: String, _ addresses: [String]) throws -> DNSServer {
            let variable = "{?dns}", asksByGET = template.hasSuffix(variable)
            let url: HTTPURL
            do { url = try HTTPURL(asksByGET ? String(template.dropLast(variable.count)) : template) } catch {
                throw Self.invalid("the template of a DNS server is no URL, with {?dns} at its end or without: \(error.reason)")
            }
            guard url.isSecure || url.isLoopback else { throw Self.invalid("the URL of a DNS server begins with https") }
            guard url.query == nil else { throw Self.invalid("the URL of a DNS server has no query") }
            var own = settings.forStrangers
            own.connectionsPerHost = nil
            own.resolver = .system
            if url.isLoopback || HostAddress(url.host.hasPrefix("[") ? url.host.dropFirst().dropLast() : url.host[...]) != nil {
                guard addresses.isEmpty else { throw Self.invalid("a DNS server whose URL has an address needs no other") }
            } else {
                guard !addresses.isEmpty else { throw Self.invalid("the DNS server needs its addresses, which no one else can find") }
                own.resolver = .fixed([url.host: try addresses.map { try Self.address($0).text }])
            }
            return DNSServer(url: url, asksByGET: asksByGET, transport: try makeTransport(own), time: time)
        }

        private static func address(_ text: String) throws -> HostAddress {
            guard let address = HostAddress(text) else { throw invalid("\"\(text)\" is no IP address") }
            return address
        }

        /// A name without the dot of the root.
        static func asked(_ host: String) -> String { host.hasSuffix(".") ? String(host.dropLast()) : host }

        private static func invalid(_ reason: String) -> TarmacError { TarmacError(.invalidOption, "resolver: \(reason)") }
    }
}
