import HTTPTypes
import TarmacTesting
import Testing

@testable import Tarmac
import TarmacCallLog
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacSigning
import TarmacStreams
import TarmacTraffic

@Suite("Law 4: call over endpoint over service over client over default", .timeLimit(.minutes(5)))
struct Law4Tests {
    enum Probe {
        static let setting = Setting("probe", default: 0)
    }

    private static let rooms = Settings.everyday + others
    private static let others: [AnySetting] = [
        Settings.log, Settings.circuitBreaker, Settings.encryption, Settings.events, Settings.hedge, Settings.maximumRecordSize,
        Settings.rateLimit, Settings.signing, Settings.verification,
    ]
    private static let subsets: [[Layer]] = (0..<16).map { bits in Layer.allCases.filter { bits & (1 << $0.rawValue) != 0 } }

    /// A client and an endpoint with a setting in some layers.
    private func rig(_ layers: [Layer], _ set: @escaping @Sendable (inout Options, Layer) -> Void) -> (Client, Layered) {
        let setting: @Sendable (Layer) -> @Sendable (inout Options) -> Void = { layer in
            { if layers.contains(layer) { set(&$0, layer) } }
        }
        let service = Service("s", host: Hosts("https://s.example", cdn: "https://cdn.s.example"), configure: setting(.service))
        let client = Client(transport: .stub { _ in .status(.ok) }, services: [service], configure: setting(.client))
        return (client, Layered(own: setting(.endpoint), call: setting(.call)))
    }

    private func shown(_ row: OptionRow, _ layers: [Layer]) throws -> Explanation.Setting {
        let (client, endpoint) = rig(layers, row.set)
        return try #require(client.explain(endpoint, listing: Self.rooms, configure: endpoint.call)[row.name])
    }

    @Test(arguments: OptionRow.all)
    func theUppermostLayerDecidesEverySetting(row: OptionRow) throws {
        let alone = try Layer.allCases.map { try shown(row, [$0]).value }
        for layers in Self.subsets where !layers.isEmpty {
            let setting = try shown(row, layers)
            #expect(setting.value == row.together(layers.map { alone[$0.rawValue] }), "\(layers)")
            #expect(setting.hidden.count == layers.count, "\(layers)")
        }
    }

    @Test(arguments: OptionRow.all)
    func explainNamesTheLayerOfEverySetting(row: OptionRow) throws {
        for layers in Self.subsets {
            let expected = layers.last?.origin ?? .default
            #expect(try shown(row, layers).origin == expected, "\(layers)")
        }
    }

    @Test func theTableHasEverySettingThereIs() {
        let resolved = Mirror(reflecting: OptionValues.standard).children.compactMap(\.label).filter { $0 != "rooms" }
        let kernel = Settings.ofKernel.map { $0.name }, rooms = Self.rooms.map { $0.name }
        #expect(Set(OptionRow.all.map(\.name)) == Set(kernel + rooms))
        // Cookies bring a stage, so they are kept as rooms' settings are.
        #expect(Set(kernel) == Set(resolved + ["cookies"]))
    }

    @Test func aSettingOfAnotherModuleFollowsTheSameOrder() async throws {
        for layers in Self.subsets {
            let seen = Watched(-1)
            let (client, endpoint) = rig(layers) { $0[Probe.setting] = $1.rawValue + 1 }
            try await client.send(endpoint) { options in
                endpoint.call(&options)
                options.interceptors.append(
                    Intercepting { request, chain in
                        seen.update { $0 = chain.context.option(Probe.setting) }
                        return try await chain.proceed(request)
                    })
            }
            #expect(seen.value == (layers.last.map { $0.rawValue + 1 } ?? 0))
            let explained = client.explain(endpoint, listing: [Probe.setting], configure: endpoint.call)[Probe.setting.name]
            #expect(explained?.origin == layers.last?.origin ?? .default)
        }
    }

    @Test func headersMergePerNameAndMayBeRemoved() async throws {
        let stub = StubTransport { _ in .status(.ok) }
        let service = Service("s", host: "https://s.example") {
            $0.headers = ["X-A": "service", "X-B": "service", "X-C": "service", "x-d": "service"]
        }
        let client = Client(transport: .stub(stub), services: [service]) { $0.headers = ["X-A": "client", "X-E": "client"] }
        let endpoint = Layered { options in
            options.headers["x-b"] = "endpoint"
            options.headers.remove("X-C")
            options.headers.append("X-D", "endpoint")
        }
        try await client.send(endpoint) { options in
            options.headers.append("X-D", "call")
            options.headers.append("X-D", "call again")
            options.headers.remove("x-e")
        }
        let headers = try #require(stub.requests.first?.headers)
        let own = headers.filter { $0.name.canonicalName.hasPrefix("x-") }.map { "\($0.name.canonicalName): \($0.value)" }
        #expect(own.sorted() == ["x-a: service", "x-b: endpoint", "x-d: call", "x-d: call again"])
    }

    @Test func interceptorsAndObserversAppendLowestOutermost() async throws {
        let order = Watched<[String]>([])
        let note: @Sendable (String) -> Intercepting = { word in
            Intercepting { request, chain in
                order.update { $0.append(word) }
                return try await chain.proceed(request)
            }
        }
        let (client, endpoint) = rig(Layer.allCases) { options, layer in
            options.interceptors.append(note("\(layer)"))
            options.attemptInterceptors.append(note("\(layer) attempt"))
            options.observers.append(.closure { if case .landed = $0.kind { order.update { $0.append("\(layer) observer") } } })
        }
        try await client.send(endpoint, configure: endpoint.call)
        let layers = Layer.allCases.map { "\($0)" }
        #expect(order.value == layers + layers.map { "\($0) attempt" } + layers.map { "\($0) observer" })
    }

    @Test func nothingOneCallSetsIsSeenByAnother() async throws {
        let stub = StubTransport { _ in .status(.ok) }
        let client = Client(stub)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                group.addTask {
                    try await client.get("/\(number)") {
                        if number % 3 == 0 { return }
                        $0.headers["X-Number"] = "\(number)"
                        $0.userAgent = UserAgent("agent-\(number)")
                        $0.parameters = ["p": number]
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(stub.requests.count == 300)
        for request in stub.requests {
            let number = try #require(Int(request.url.path.dropFirst()))
            let isPlain = number % 3 == 0
            #expect(request.headers[HTTPField.Name("X-Number")!] == (isPlain ? nil : "\(number)"))
            #expect(request.headers[.userAgent] == (isPlain ? UserAgent.standard.text : "agent-\(number)"))
            #expect(request.url.query == (isPlain ? nil : "p=\(number)"))
        }
    }
}
