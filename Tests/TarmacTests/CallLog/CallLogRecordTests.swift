import Foundation
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacLog

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
            await rig.log.flush()
            #expect(Set(try CallLog.read(file).compactMap(\.request?.url)).count == 300)
            await rig.client.shutdown()
        }
    }
}
