import Foundation
import HTTPTypes
import TarmacCallLog
@_spi(TarmacRooms) import TarmacCore
import Testing

@testable import TarmacInspector

@Suite struct FaultControlsTests {
    private func withRoutes(
        time: any TimeSource = .system, installed: Bool = true, _ body: (Client, FaultControls, InspectorRoutes) async throws -> Void
    ) async throws {
        let log = CallLog(last: 50), faults = FaultControls()
        let services = [Service("demo", host: "https://demo.example"), Service("shop", host: "https://shop.example")]
        let configure: (inout Options) -> Void = {
            $0.log = log
            if installed { $0.attemptInterceptors = [faults] }
        }
        try await withClient(transport: .echo, services: services, time: time, configure: configure) { client in
            let desk = ClientActions(client: client, environments: [], faults: faults)
            try await body(client, faults, InspectorRoutes(calls: .log(log), desk: desk, feed: Feed(), listening: .loopback))
        }
    }

    private func set(_ routes: InspectorRoutes, _ service: String, _ fault: String) async -> (status: Int, text: String) {
        let order = Array("{\"service\":\"\(service)\",\"fault\":\"\(fault)\"}".utf8)
        let answer = await routes.answer(InspectorRequest("POST", "/api/fault"), .fault, body: order)
        guard case .bytes(let bytes) = answer.content else { return (answer.status, "") }
        return (answer.status, String(decoding: bytes, as: UTF8.self))
    }

    private func code(_ client: Client, _ url: String) async throws -> TarmacError.Code? {
        do {
            _ = try await client.send(raw: try Request(.get, url)) { $0.acceptableStatus = .success }
            return nil
        } catch let error as TarmacError { return error.code }
    }

    @Test func servicesHaveTheirFaultsUntilTheyAreTakenAway() async throws {
        try await withRoutes { client, _, routes in
            #expect(await set(routes, "demo", "offline").text.contains("\"faults\":{\"demo\":\"offline\"}"))
            let offline = try await code(client, "https://demo.example/a")
            #expect(offline == .connectionFailed)
            #expect(await set(routes, "demo", "status:503").status == 200)
            let failed = try await code(client, "https://demo.example/a")
            #expect(failed == .unacceptableStatus)
            #expect(await set(routes, "demo", "").text.contains("\"faults\":{}"))
            let landed = try await code(client, "https://demo.example/a")
            #expect(landed == nil)
        }
    }

    @Test func faultOfOneServiceLeavesTheOthersAlone() async throws {
        try await withRoutes { client, faults, routes in
            #expect(await set(routes, "shop", "offline").status == 200)
            let other = try await code(client, "https://demo.example/a")
            #expect(other == nil)
            faults.clear()
            #expect(faults.active.isEmpty)
        }
    }

    @Test func delayPassesOnTheClockOfTheClient() async throws {
        let time = SteppingTime(until: .seconds(6))
        try await withRoutes(time: time) { client, _, routes in
            #expect(await set(routes, "demo", "delay:5000").status == 200)
            let delayed = try await code(client, "https://demo.example/a")
            #expect(delayed == nil)
            #expect(time.passed == .seconds(5))
        }
    }

    @Test func clientWithoutTheControlsIsTold() async throws {
        try await withRoutes(installed: false) { _, faults, routes in
            let (status, text) = await set(routes, "demo", "offline")
            #expect(status == 409 && text.contains("\"noFaults\""))
            #expect(faults.active.isEmpty)
        }
    }

    @Test func unknownServiceOrFaultIsRefused() async throws {
        try await withRoutes { _, faults, routes in
            #expect(await set(routes, "other", "offline").status == 409)
            #expect(await set(routes, "demo", "fire").status == 400)
            #expect(faults.active.isEmpty)
        }
    }

    private func order(_ routes: InspectorRoutes, _ body: String) async -> Int {
        await routes.answer(InspectorRequest("POST", "/api/answer"), .answer, body: Array(body.utf8)).status
    }

    private func answer(_ endpoint: String, status: Int = 200, type: String = "application/json", body: String = "{}") -> String {
        let answer = EndpointAnswer(service: "demo", endpoint: endpoint, status: status, mediaType: type, body: body)
        return String(decoding: PageJSON.bytes(["answer": answer]), as: UTF8.self)
    }

    @Test func endpointHasTheAnswerOfThePageUntilItIsTakenAway() async throws {
        try await withRoutes { client, faults, routes in
            _ = try await client.send(raw: try Request(.get, "https://demo.example/a"))
            let name = try #require(routes.calls.log?.entries.last?.endpoint)
            #expect(await order(routes, answer(name, status: 201, body: "{\"id\":7}")) == 200)
            let answered = try await client.send(raw: try Request(.get, "https://demo.example/a"))
            #expect(answered.status == 201 && answered.headers[.contentType] == "application/json")
            #expect(answered.body.collected == Bytes(Array("{\"id\":7}".utf8)))
            let logged = try #require(routes.calls.log?.entries.last)
            #expect(ServiceFault.isCause(of: logged))
            let other = try await client.send(raw: try Request(.put, "https://demo.example/a"))
            #expect(other.status == 200)
            #expect(await order(routes, "{\"service\":\"demo\",\"name\":\"\(name)\"}") == 200)
            let last = try await client.send(raw: try Request(.get, "https://demo.example/a"))
            #expect(last.status == 200 && faults.written.isEmpty)
        }
    }

    @Test func answersAreValidAndBounded() async throws {
        try await withRoutes { _, faults, routes in
            for wrong in [answer("a", status: 199), answer("a", status: 600), answer("a", type: "text/plain\r\nSet-Cookie: a=b"), answer("")] {
                #expect(await order(routes, wrong) == 400)
            }
            for number in 0..<EndpointAnswer.most { #expect(await order(routes, answer("\(number)")) == 200) }
            #expect(await order(routes, answer("one more")) == 409)
            #expect(await order(routes, answer("0", status: 404)) == 200)
            #expect(faults.written.count == EndpointAnswer.most)
            faults.clear()
            #expect(faults.written.isEmpty)
        }
    }

    @Test(arguments: ["delay:1", "delay:60000", "status:400", "status:599", "offline"])
    func faultIsReadAsItIsWritten(text: String) { #expect(ServiceFault(text)?.text == text) }

    @Test(arguments: ["", "delay", "delay:0", "delay:60001", "delay:-1", "delay:1:1", "status:200", "status:600", "status:", "offline:1", "Offline", ":"])
    func otherTextIsNoFault(text: String) { #expect(ServiceFault(text) == nil) }
}

/// A clock that goes on at once to every time up to a limit, and stays there.
private final class SteppingTime: TimeSource {
    private let start = ContinuousClock.now
    private let limit: Duration
    private let moment = Locked(Duration.zero)

    init(until limit: Duration) { self.limit = limit }

    var passed: Duration { moment.withLock { $0 } }
    var now: ContinuousClock.Instant { start + passed }
    var date: Date { Date(timeIntervalSince1970: 0) }

    func sleep(until instant: ContinuousClock.Instant) async throws {
        let wanted = instant - start
        if wanted > limit { try await untilCancelled() }
        try Task.checkCancellation()
        moment.withLock { $0 = max($0, wanted) }
    }
}
