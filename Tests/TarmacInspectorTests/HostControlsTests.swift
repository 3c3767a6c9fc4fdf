import HTTPTypes
import TarmacCallLog
import TarmacCore
import Testing

@testable import TarmacInspector

@Suite struct HostControlsTests {
    private static let laptop = HostKind("laptop"), missing = HostKind("missing")

    private static func hosts(_ origin: String, _ laptop: String?) -> Hosts {
        var hosts = Hosts(origin)
        hosts[Self.laptop] = laptop
        return hosts
    }

    private func withRoutes(installed: Bool = true, _ body: (Client, HostControls, InspectorRoutes) async throws -> Void) async throws {
        let log = CallLog(last: 50), hosts = HostControls([.origin, Self.laptop, Self.missing])
        let services = [
            Service("demo", host: Self.hosts("https://demo.example/v1", "https://laptop.example:8443/demo")),
            Service("shop", host: Self.hosts("https://shop.example", nil)),
        ]
        let configure: (inout Options) -> Void = {
            $0.log = log
            if installed { $0.interceptors = [hosts] }
        }
        try await withClient(transport: .echo, services: services, configure: configure) { client in
            let desk = ClientActions(client: client, environments: [], hosts: hosts)
            try await body(client, hosts, InspectorRoutes(calls: .log(log), desk: desk, feed: Feed(), listening: .loopback))
        }
    }

    private func set(_ routes: InspectorRoutes, _ service: String, _ host: String) async -> (status: Int, text: String) {
        let order = Array("{\"service\":\"\(service)\",\"name\":\"\(host)\"}".utf8)
        let answer = await routes.answer(InspectorRequest("POST", "/api/host"), .host, body: order)
        guard case .bytes(let bytes) = answer.content else { return (answer.status, "") }
        return (answer.status, String(decoding: bytes, as: UTF8.self))
    }

    /// Returns the URL that the transport gets.
    private func sent(_ client: Client, _ url: String) async throws -> String {
        try await client.send(raw: try Request(.get, url)).url.string
    }

    @Test func callsGoToTheChosenHostUntilItIsTakenBack() async throws {
        try await withRoutes { client, _, routes in
            #expect(await set(routes, "demo", "laptop").text.contains("\"chosen\":{\"demo\":\"laptop\"}"))
            let moved = try await sent(client, "https://demo.example/v1/a?b=1")
            #expect(moved == "https://laptop.example:8443/demo/a?b=1")
            #expect(await set(routes, "demo", "").text.contains("\"chosen\":{}"))
            let usual = try await sent(client, "https://demo.example/v1/a?b=1")
            #expect(usual == "https://demo.example/v1/a?b=1")
        }
    }

    @Test func callToAnotherServerStaysAsItIs() async throws {
        try await withRoutes { client, _, routes in
            #expect(await set(routes, "demo", "laptop").status == 200)
            let other = try await sent(client, "https://other.example/v1/a")
            #expect(other == "https://other.example/v1/a")
        }
    }

    @Test func hostThatTheServiceDoesNotHaveIsRefused() async throws {
        try await withRoutes { _, hosts, routes in
            for (service, host) in [("demo", "missing"), ("demo", "cdn"), ("shop", "laptop"), ("other", "origin")] {
                #expect(await set(routes, service, host).status == 409, "\(service) \(host)")
            }
            #expect(hosts.active.isEmpty)
        }
    }

    @Test func clientWithoutTheControlsIsTold() async throws {
        try await withRoutes(installed: false) { _, hosts, routes in
            let (status, text) = await set(routes, "demo", "laptop")
            #expect(status == 409 && text.contains("\"noHosts\""))
            #expect(hosts.active.isEmpty)
        }
    }

    @Test func stoppedInspectorLeavesNothingBehind() async throws {
        let log = CallLog(), faults = FaultControls(), hosts = HostControls([.origin])
        let client = Client(transport: .echo, services: [Service("demo", host: "https://demo.example")])
        let inspector = try await Inspector(log, client: client, faults: faults, hosts: hosts, allowsReleaseBuilds: true)
        faults.set(.offline, of: "demo")
        hosts.set(.origin, of: "demo")
        await inspector.stop()
        #expect(faults.active.isEmpty && hosts.active.isEmpty)
        await client.shutdown()
    }
}
