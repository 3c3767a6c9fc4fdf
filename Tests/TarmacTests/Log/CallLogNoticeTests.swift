import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCallLog
@testable import TarmacCore
@testable import TarmacHTTP

/// What a transport reports besides the usual steps reaches observers that do not follow the steps.
@Suite("Call log, notices of the transport", .timeLimit(.minutes(5)))
struct CallLogNoticeTests {
    private func client(_ configure: (inout Options) -> Void) -> Client {
        Client(transport: TransportFactory(name: "noticing") { _ in NoticingTransport() }, services: [.logged], configure: configure)
    }

    @Test func aLogThatAloneObservesHasResendsAndPins() async throws {
        let log = CallLog(), client = client { $0.log = log }
        try await client.get("/n")
        let entry = try #require(log.entries.last)
        #expect(entry.state == .landed && entry.events.map(\.kind) == [.reconnect, .warning])
        #expect(entry.events.first?.text == "resent on a fresh connection" && entry.events.last?.text.isEmpty == false)
        await client.shutdown()
    }

    @Test func anObserverThatDoesNotFollowStepsIsToldOfNoticesAlone() async throws {
        let recorder = EventRecorder(), client = client { $0.observers = [Unhurried(recorder: recorder)] }
        try await client.get("/n")
        #expect(recorder.names.contains("resentOnFreshConnection") && recorder.names.contains("pinMismatch"))
        #expect(Set(recorder.names).isDisjoint(with: ["connected", "requestSent", "responseStarted"]))
        await client.shutdown()
    }
}

private struct Unhurried: EventObserver {
    let recorder: EventRecorder
    var followsSteps: Bool { false }
    func receive(_ event: CallEvent) { recorder.receive(event) }
}

/// Reports a resend and pins that do not match, and answers.
private struct NoticingTransport: Transport {
    var name: String { "noticing" }
    var capabilities: TransportCapabilities { .everything }

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        exchange.report(.connected(isReused: true))
        exchange.report(.resent)
        exchange.report(.pins(.mismatch(PinReport(host: request.url.host, presented: [], expected: []))))
        exchange.report(.sentAll)
        exchange.report(.receivedHead)
        exchange.report(.ended)
        return .text("hello")
    }

    func shutdown() async {}
}
