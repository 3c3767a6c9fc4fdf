#if Tools
import Configuration
import Logging
import ServiceLifecycle
import Tarmac
import TarmacTesting
import Testing

@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacTelemetry

@Suite("A client as a service, and from a configuration")
struct ServiceTests {
    @Test func aGracefulShutdownShutsTheClientDown() async throws {
        let stub = StubTransport { _ in .text("hello") }
        let client = Client(transport: .stub(stub), services: [.shop])
        _ = try await client.send(GetUser(id: "7"))
        let group = ServiceGroup(services: [ClientService(client)], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        async let running: Void = group.run()
        await group.triggerGracefulShutdown()
        try await running
        #expect(stub.shutdowns == 1)
        let error = await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: "7")) }
        #expect(error?.code == .clientShutDown)
    }

    @Test func aCancelledServiceShutsTheClientDown() async throws {
        let stub = StubTransport { _ in .text("hello") }
        let client = Client(transport: .stub(stub), services: [.shop])
        _ = try await client.send(GetUser(id: "7"))
        let running = Task { try await ClientService(client).run() }
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(stub.shutdowns == 1)
    }

    @Test func aShutdownThatDoesNotEndHoldsTheGroupNoLongerThanItsDeadline() async throws {
        let time = ManualTime(), gate = Watched(false)
        let client = Client(transport: .stub { _ in .text("hello") }, services: [.shop], time: time)
        struct Stuck: Interceptor {
            let gate: Watched<Bool>
            func intercept(_ request: Request, chain: Chain) async throws -> Response {
                let response = try await chain.proceed(request)
                // A cancellation does not reach this wait.
                _ = await Task.detached { [gate] in try? await gate.wait { $0 } }.value
                return response
            }
        }
        let call = Task { try await client.send(GetUser(id: "7")) { $0.interceptors = [Stuck(gate: gate)] } }
        await eventually { client.engine.callsInFlight.first?.attempts == 1 }
        let running = Task { try await ClientService(client, deadline: .seconds(3)).run() }
        running.cancel()
        // The time limits of the call are longer.
        await eventually { time.nextDeadline.map({ $0 <= .seconds(3) }) ?? false }
        time.advance(by: .seconds(3))
        await #expect(throws: CancellationError.self) { try await running.value }
        gate.update { $0 = true }
        _ = await call.result
    }

    @Test(arguments: [Duration.seconds(Int64.max) * 4, .seconds(-1)])
    func noDeadlineIsACrash(deadline: Duration) async throws {
        let client = Client(transport: .stub { _ in .text("hello") }, services: [.shop])
        let running = Task { try await ClientService(client, deadline: deadline).run() }
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
    }

    // MARK: Configuration

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private func client(_ values: [AbsoluteConfigKey: ConfigValue], services: [TarmacCore.Service] = []) throws(TarmacError) -> Client {
        try Client(config: ConfigReader(provider: InMemoryProvider(values: values)).scoped(to: "shop"), transport: .stub { _ in .text("") }, services: services)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func everyKeyIsASetting() throws {
        let client = try client([
            ["shop", "baseURL"]: "https://api.shop.example/v2", ["shop", "serviceName"]: "shop", ["shop", "environment"]: "staging",
            ["shop", "timeout"]: 2.5, ["shop", "connectTimeout"]: 3, ["shop", "queueTimeout"]: "4", ["shop", "idleTimeout"]: "unlimited",
            ["shop", "deadline"]: 60, ["shop", "slowCall"]: 9, ["shop", "maxAttempts"]: 4, ["shop", "redirectLimit"]: 0, ["shop", "maximumBodySize"]: 1_024,
            ["shop", "userAgent"]: "shop/1", ["shop", "allowsInsecureHTTP"]: true, ["shop", "concurrency"]: 5, ["shop", "connectionsPerHost"]: 6,
        ])
        let runtime = try client.engine.runtime(.clientDefault), values = runtime.options.values
        #expect(client.environment == .staging && runtime.service.name == "shop")
        #expect(values.timeout.duration == .milliseconds(2_500) && values.connectTimeout.duration == .seconds(3))
        #expect(values.queueTimeout.duration == .seconds(4) && values.idleTimeout == .unlimited && values.deadline.duration == .seconds(60))
        #expect(values.slowCall.duration == .seconds(9))
        #expect(!values.redirects.follows && values.maximumBodySize == 1_024 && values.userAgent.text == "shop/1" && values.allowsInsecureHTTP)
        #expect(runtime.service.connection.connectionsPerHost == 6)
        #expect(client.explain(.get("/")).description.contains("retry"))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func environmentVariablesAreKeys() async throws {
        let provider = EnvironmentVariablesProvider(environmentVariables: ["SHOP_BASE_URL": "https://api.shop.example", "SHOP_CONNECT_TIMEOUT": "1.5"])
        let client = try Client(config: ConfigReader(provider: provider).scoped(to: "shop"), transport: .stub { _ in .text("") })
        #expect(try client.engine.runtime(.clientDefault).options.values.connectTimeout.duration == .milliseconds(1_500))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func anEmptyConfigurationChangesNothing() throws {
        let client = try client([:], services: [.shop])
        #expect(try client.engine.runtime(.shop).options.layers.allSatisfy(\.options.isEmpty))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test(
        arguments: [
            ("timeout", "soon"), ("timeout", "0"), ("timeout", "-1"), ("timeout", "nan"), ("timeout", true), ("maxAttempts", "0"), ("maxAttempts", 1.5),
            ("redirectLimit", "-1"), ("concurrency", "many"), ("allowsInsecureHTTP", "perhaps"), ("baseURL", "ftp://hunter2@x"), ("baseURL", ""),
            ("baseURL", 7), ("serviceName", "x"), ("connectionsPerHost", "3"), ("timeout", 1e16), ("timeout", "1e-30"), ("deadline", "inf"),
            ("maxAttempts", 101), ("userAgent", "shop/1\r\nX-Hidden: hunter2"), ("userAgent", "shop\u{0}"),
        ] as [(String, ConfigValue)])
    func aBadValueIsAnErrorThatNamesItsKey(key: String, value: ConfigValue) throws {
        let error = #expect(throws: TarmacError.self) { _ = try client([["shop", key]: value]) }
        #expect(error?.code == .invalidOption && error?.reason.contains(key) == true)
        #expect(error.map { "\($0)" }?.contains("hunter2") == false)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func aBaseURLBesideServicesIsRefused() {
        let error = #expect(throws: TarmacError.self) { _ = try client([["shop", "baseURL"]: "https://x.example"], services: [.shop]) }
        #expect(error?.reason.contains("baseURL") == true)
    }
}
#endif
