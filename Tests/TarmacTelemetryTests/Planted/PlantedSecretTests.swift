#if Tools
import Foundation
import HTTPTypes
import Tarmac
import TarmacCallLog
import TarmacHAR
import TarmacTelemetry
import TarmacTesting
import Testing

@testable import TarmacInspector

/// Law 9 for all that shows calls to developers: one session with secrets in more than 200 places, and none of them in an export, on the
/// page, in a span, a metric or a line.
@Suite("Planted secrets in every export", .timeLimit(.minutes(5)))
struct PlantedSecretTests {
    private typealias Output = (name: String, text: String)

    @Test func noExportPageSpanMetricOrLineHasAPlantedSecret() async throws {
        let file = NSTemporaryDirectory() + "planted-\(UUID().uuidString).jsonl"
        defer { for path in [file, file + ".old"] { try? FileManager.default.removeItem(atPath: path) } }
        let session = PlantedSession(recordingTo: file), errors = await session.fly()
        await session.log.flush()
        #expect(session.planter.all.count >= 200 && session.unsent == [] && session.log.entries.count == 28)
        #expect(errors.count >= 14, "two outcomes of each form fail")

        let outputs = try exports(session, file) + telemetry(session, errors) + (await inspected(session))
        for output in outputs {
            let leaks = Planter.leaks(in: output.text)
            if !leaks.isEmpty { Issue.record("\(output.name) shows \(leaks.count) secrets: \(leaks.prefix(12))") }
        }
        for name in ["archive", "commands", "record", "spans, metrics and lines", "lines of the loggers", "/api/har", "/api/call"] {
            #expect(outputs.contains { $0.name == name && $0.text.contains("page=7") }, "\(name) shows nothing of a call")
        }
        await session.rig.client.shutdown()
    }

    /// The look at a text finds what it is meant to find.
    @Test func theLookFindsASecret() {
        let secret = Planter().plant("query pin")
        #expect(Planter.leaks(in: "a \(secret) b") == ["querypinVw3 b"] && Planter.leaks(in: "a ‹masked› b") == [])
    }

    @Test(arguments: PlantedCoding.allCases)
    func theLookFindsASecretInEveryCoding(coding: PlantedCoding) {
        for shift in 0..<3 {
            let secret = coding.written(String(repeating: "a", count: shift) + "zq12\(Planter.mark)querypinVw3")
            #expect(Planter.leaks(in: "a \(secret) b").count == 1, "\(secret)")
        }
    }

    // MARK: Outputs

    private func exports(_ session: PlantedSession, _ file: String) throws -> [Output] {
        let log = session.log, entries = log.entries
        var dumped = ""
        dump(entries, to: &dumped)
        dump(log, to: &dumped)
        dump(log.har(), to: &dumped)
        return [
            ("archive", String(decoding: log.har().bytes.array, as: UTF8.self)), ("commands", entries.compactMap(\.curl).joined(separator: "\n")),
            ("record", try String(contentsOfFile: file, encoding: .utf8)), ("entries", "\(log) \(entries) \(dumped)"),
            ("JSON of the entries", entries.map { String(decoding: $0.json, as: UTF8.self) }.joined(separator: "\n")),
        ]
    }

    private func telemetry(_ session: PlantedSession, _ errors: [String]) -> [Output] {
        [
            ("spans, metrics and lines", session.rig.everything), ("lines of the loggers", session.lines.value.joined(separator: "\n")),
            ("errors", errors.joined(separator: "\n")),
            ("events", session.events.events.map { "\($0.kind)" }.joined(separator: "\n")),
        ]
    }

    /// The answers of the inspector at all its paths, with their header fields, and the events of a live page.
    private func inspected(_ session: PlantedSession) async -> [Output] {
        let calls = CallSource.log(session.log), ids = session.log.entries.map(\.id)
        let desk = ClientActions(client: session.rig.client, environments: [.production])
        let routes = InspectorRoutes(calls: calls, desk: desk, feed: Feed(), listening: .loopback)
        var outputs: [Output] = []
        for path in InspectorPath.allCases where path != .events && path != .call && path != .resend && path != .clear {
            let order = #"{"paused":false,"name":"production","service":"shop"}"#
            outputs.append(await answer(routes, path, [("service", "shop"), ("text", "page=7")], order))
        }
        for id in ids {
            outputs.append(await answer(routes, .call, [("id", "\(id)")]))
            let sent = await answer(routes, .resend, [], #"{"id":\#(id),"confirmed":true}"#)
            #expect(sent.text.contains("secretInURL"), "a call whose secrets are masked is not sent again")
            outputs.append(sent)
        }
        for secret in session.planter.all.enumerated() where secret.offset % 32 == 0 {
            #expect(await answer(routes, .search, [("text", secret.element)], isBare: true).text == "[]")
        }
        let changes = EventText.text(PendingChanges.Batch(changed: Set(ids)), calls.summaries(of: Set(ids)))
        outputs.append(("events of the page", String(decoding: changes, as: UTF8.self)))
        return outputs + [await answer(routes, .clear)]
    }

    private func answer(
        _ routes: InspectorRoutes, _ path: InspectorPath, _ query: [(name: String, value: String)] = [], _ order: String = "{}", isBare: Bool = false
    ) async -> Output {
        let answer = await routes.answer(InspectorRequest(path.method, path.rawValue, query: query), path, body: Array(order.utf8))
        guard case .bytes(let bytes) = answer.content else { return (path.rawValue, "") }
        let fields = isBare ? "" : answer.headers.map { "\($0.0): \($0.1)\n" }.joined()
        return (path.rawValue, fields + String(decoding: bytes, as: UTF8.self))
    }
}
#endif
