import Foundation
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCallLog

@Suite("Call log, recorded", .timeLimit(.minutes(5)))
struct CallLogRecordTests {
    private static func withFile(_ body: (String) async throws -> Void) async throws {
        let file = NSTemporaryDirectory() + "call-log-\(UInt64.random(in: .min ... .max)).jsonl"
        defer { for path in [file, file + ".old"] { try? FileManager.default.removeItem(atPath: path) } }
        try await body(file)
    }

    @Test func theRecordHasTheCallsOfTheLog() async throws {
        try await Self.withFile { file in
            let rig = LogRig(CallLog(bodies: .first(.kib(64)), recordingTo: file))
            try await rig.fly()
            await rig.log.flush()
            #expect(try CallLog.read(file) == rig.log.entries && rig.log.recordFailure == nil)
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            await rig.client.shutdown()
        }
    }

    @Test func aTornLastLineIsLeftOutAndTheRecordGoesOn() async throws {
        try await Self.withFile { file in
            let rig = LogRig(CallLog(recordingTo: file))
            for _ in 0..<3 { try await rig.get("/a") }
            await rig.log.flush()
            let whole = try Data(contentsOf: URL(fileURLWithPath: file)), lines = whole.split(separator: 0x0A)
            for length in [whole.count - 1, whole.count - 2, whole.count - 100, lines[0].count + lines[1].count + 3] {
                try whole.prefix(length).write(to: URL(fileURLWithPath: file))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
                let kept = length == whole.count - 1 ? 3 : 2
                #expect(try CallLog.read(file).count == kept, "\(length)")
                let next = LogRig(CallLog(recordingTo: file))
                try await next.get("/next")
                await next.log.flush()
                #expect(try CallLog.read(file).compactMap { $0.request?.url.hasSuffix("/next") } == Array(repeating: false, count: kept) + [true])
                await next.client.shutdown()
            }
            await rig.client.shutdown()
        }
    }

    @Test func theRecordIsBoundedAndKeepsTheLatest() async throws {
        try await Self.withFile { file in
            let rig = LogRig(CallLog(recordingTo: file, limit: .kib(20)))
            for number in 0..<200 {
                try await rig.get("/n/\(number)")
                if number.isMultiple(of: 20) { await rig.log.flush() }
            }
            await rig.log.flush()
            let size = try [file, file + ".old"].map { try Data(contentsOf: URL(fileURLWithPath: $0)).count }
            #expect(size.allSatisfy { $0 <= 10_240 })
            let numbers = try CallLog.read(file).compactMap { $0.request.flatMap { Int($0.url.split(separator: "/").last ?? "") } }
            #expect(numbers.last == 199 && numbers == Array((numbers.first ?? 0)...199) && numbers.count >= 5)
            await rig.client.shutdown()
        }
    }

    /// Escapes make the lines of quotes twice as long.
    @Test(arguments: ["word ", "\"\n", "é", "⚑ "]) func theLastCallsFitHoweverLongTheirBodiesAre(text: String) async throws {
        try await Self.withFile { file in
            let body = String(repeating: text, count: 60_000 / text.utf8.count)
            let log = CallLog(last: 20, bodies: .first(.kib(64)), memory: .mib(64), recordingTo: file, limit: .kib(400))
            let client = Client(transport: .stub { _ in .text(body) }, services: [.logged]) { $0.log = log }
            for number in 0..<70 {
                try await client.post("/n/\(number)", body: .text(number.isMultiple(of: 2) ? body : "short"))
                await log.flush()
            }
            let read = try CallLog.read(file), last = read.suffix(20)
            #expect(last.map(\.request?.url) == (50..<70).map { "https://api.example.com/n/\($0)" } && log.recordFailure == nil && log.leftOutOfRecord == 0)
            for entry in last {
                let shown = try #require(entry.response?.body)
                #expect(shown.isTruncated && shown.size == Int64(body.utf8.count) && shown.text?.hasSuffix("…") == true)
                #expect((1_000..<10_000).contains(shown.text?.utf8.count ?? 0) && entry.attempts.map(\.response) == [entry.response])
            }
            #expect(last.last?.request?.body?.text == "short")
            await client.shutdown()
        }
    }

    @Test func aCallIsWrittenOnceAndReadAsItWas() async throws {
        let rig = LogRig()
        try await rig.fly()
        _ = try? await rig.client.get("/users/{id}")
        for entry in rig.log.entries {
            let line = RecordedCall.line(entry, longest: .max)
            #expect(try TarmacJSONDecoder().decode(RecordedCall.self, from: line).entry == entry)
            let bare = try TarmacJSONDecoder().decode(RecordedCall.self, from: RecordedCall.line(entry, longest: 0)).entry
            #expect(
                bare.status == entry.status && bare.response?.body?.text == nil
                    && bare.attempts.map(\.response?.body?.size) == entry.attempts.map(\.response?.body?.size))
        }
        let entry = try #require(rig.entry("/new") ?? rig.entry("/old")), line = String(decoding: RecordedCall.line(entry, longest: .max), as: UTF8.self)
        #expect(line.components(separatedBy: #"{\"n\":1}"#).count == 2)
        await rig.client.shutdown()
    }

    @Test func aFileThatOthersMayReadIsNotWritten() async throws {
        try await Self.withFile { file in
            try Data().write(to: URL(fileURLWithPath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
            let rig = LogRig(CallLog(recordingTo: file))
            try await rig.get("/a")
            await rig.log.flush()
            #expect(rig.log.recordFailure?.code == .unreadableFile && rig.log.entries.count == 1)
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)).isEmpty)
            await rig.client.shutdown()
        }
    }

    @Test func aRecordThatIsNotThereSaysSo() {
        let error = #expect(throws: TarmacError.self) { try CallLog.read("/nowhere/at/all") }
        #expect(error?.code == .unreadableFile)
    }

    @Test func callsThatEndTogetherAreAllWritten() async throws {
        try await Self.withFile { file in
            let rig = LogRig(CallLog(last: 500, recordingTo: file))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<300 { group.addTask { try await rig.get("/n/\(number)") } }
                try await group.waitForAll()
            }
            // A flush waits for a limited time only.
            await eventually { (try? CallLog.read(file).count) == 300 }
            #expect(Set(try CallLog.read(file).compactMap(\.request?.url)).count == 300)
            await rig.client.shutdown()
        }
    }
}
