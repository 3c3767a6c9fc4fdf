import Foundation
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCallLog
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacSupport

/// A record whose disk is full, which another writer has, or which is something else.
@Suite("Record of a call log, in trouble", .timeLimit(.minutes(5)))
struct RecordFileTests {
    private func line(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func lines(_ path: String) -> [String] {
        guard let bytes = content(path) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private func append(_ texts: String..., to file: RecordFile) async throws {
        var written = 0
        try await file.append(texts.map(line), counting: &written)
        #expect(written == texts.count)
    }

    // MARK: A full disk

    @Test func aRecordGoesOnAfterADiskWasFull() async throws {
        try await withFolder { folder in
            let path = "\(folder)/r", good = RecordFile(path, limit: 10_000), full = RecordFile(path, limit: 10_000) { _, _, _ in -1 }
            try await append("one", "two", to: good)
            let torn = try #require(FileHandle(forWritingAtPath: path))
            try torn.truncate(atOffset: 6)
            try torn.close()
            // The end of the torn line cannot be written.
            for _ in 0..<3 { await #expect(throws: TarmacError.self) { try await append("lost", to: full) } }
            try await append("three", to: good)
            #expect(lines(path) == ["one", "tw", "three", ""])
        }
    }

    @Test func aLineThatIsWrittenInPartIsRemoved() async throws {
        try await withFolder { folder in
            let path = "\(folder)/r", good = RecordFile(path, limit: 10_000), count = Watched(0)
            try await append("one", to: good)
            let filling = RecordFile(path, limit: 10_000) { descriptor, bytes, offset in
                let isFirst = count.update { count in
                    count += 1
                    return count == 1
                }
                return isFirst ? FileDescriptor.write(descriptor, from: UnsafeRawBufferPointer(rebasing: bytes[..<3]), at: offset) : -1
            }
            await #expect(throws: TarmacError.self) { try await append("second", to: filling) }
            #expect(lines(path) == ["one", ""] && count.value == 2)
        }
    }

    // MARK: Other writers

    @Test func aWriterWaitsForAnotherAndWritesAfterIt() async throws {
        try await withFolder { folder in
            let path = "\(folder)/r", held = FileDescriptor.openForResuming(path), pauses = Watched(0), isFree = Watched(false)
            #expect(FileDescriptor.lock(held))
            let file = RecordFile(
                path, limit: 10_000,
                pause: {
                    pauses.update { $0 += 1 }
                    _ = try? await isFree.wait { $0 }
                })
            let writing = Task { try await append("two", to: file) }
            try await pauses.wait { $0 == 1 }
            _ = line("one\n").withUnsafeBytes { FileDescriptor.write(held, from: $0, at: 0) }
            FileDescriptor.closeFile(held)
            isFree.update { $0 = true }
            try await writing.value
            #expect(lines(path) == ["one", "two", ""])
        }
    }

    @Test func aWriterGivesUpAfterManyTries() async throws {
        try await withFolder { folder in
            let path = "\(folder)/r", held = FileDescriptor.openForResuming(path), pauses = Watched(0)
            defer { FileDescriptor.closeFile(held) }
            #expect(FileDescriptor.lock(held))
            let error = await failure { try await append("lost", to: RecordFile(path, limit: 10_000, pause: { pauses.update { $0 += 1 } })) }
            #expect(error?.code == .unreadableFile && pauses.value == 500 && lines(path) == [""])
        }
    }

    @Test func writersOfOneFileLoseNoLine() async throws {
        try await withFolder { folder in
            let path = "\(folder)/r"
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        let file = RecordFile(path, limit: 1 << 20)
                        for number in 0..<50 { try await append("\(writer)-\(number)", to: file) }
                    }
                }
                try await group.waitForAll()
            }
            let all = lines(path).dropLast()
            #expect(all.count == 200 && Set(all) == Set((0..<4).flatMap { writer in (0..<50).map { "\(writer)-\($0)" } }))
        }
    }

    @Test func writersThatMoveTheFileDamageNoLine() async throws {
        try await withFolder { folder in
            let path = "\(folder)/r"
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        let file = RecordFile(path, limit: 200)
                        for number in 0..<50 { try await append("<\(writer)-\(number)>", to: file) }
                    }
                }
                try await group.waitForAll()
            }
            let all = (lines(path + ".old") + lines(path)).filter { !$0.isEmpty }
            #expect(all.count > 5 && all.allSatisfy { $0.hasPrefix("<") && $0.hasSuffix(">") } && Set(all).count == all.count)
            for half in [path, path + ".old"] { #expect((content(half)?.count ?? 0) <= 100) }
        }
    }

    @Test func aCallEndsInTheRecordAlthoughFlushDoesNotWaitForIt() async throws {
        try await withFolder { folder in
            let path = "\(folder)/r", held = FileDescriptor.openForResuming(path)
            #expect(FileDescriptor.lock(held))
            let rig = LogRig(CallLog(recordingTo: path))
            try await rig.get("/a")
            await rig.log.writer?.flush(within: .milliseconds(1))
            #expect(lines(path) == [""])
            FileDescriptor.closeFile(held)
            await rig.log.writer?.flush(within: .seconds(60))
            #expect(try CallLog.read(path).count == 1 && rig.log.recordFailure == nil)
            await rig.client.shutdown()
        }
    }

    @Test func aLogThatIsGoneHasWrittenItsCalls() async throws {
        try await withFolder { folder in
            let path = "\(folder)/r", writer: LogWriter
            do {
                let rig = LogRig(CallLog(recordingTo: path))
                writer = try #require(rig.log.writer)
                for number in 0..<20 { try await rig.get("/n/\(number)") }
                await rig.client.shutdown()
            }
            await writer.flush(within: .seconds(60))
            #expect(try CallLog.read(path).count == 20)
        }
    }

    /// Calls that wait for a slow disk hold their bodies, whatever the log has removed meanwhile.
    @Test func callsThatWaitToBeWrittenAreBoundedInMemory() async throws {
        try await withFolder { folder in
            let path = "\(folder)/r", held = FileDescriptor.openForResuming(path), text = String(repeating: "0123456789", count: 500)
            #expect(FileDescriptor.lock(held))
            let log = CallLog(bodies: .first(.kib(8)), memory: .bytes(40_000), recordingTo: path)
            let client = Client(transport: .stub { _ in .text(text) }, services: [.logged]) { $0.log = log }
            for number in 0..<20 { try await client.get("/n/\(number)") }
            FileDescriptor.closeFile(held)
            await log.writer?.flush(within: .seconds(60))
            #expect(try CallLog.read(path).compactMap(\.request?.url) == ["https://api.example.com/n/0"])
            #expect(log.leftOutOfRecord == 19 && log.description.hasSuffix("19 not in the record"))
            try await client.get("/last")
            await log.writer?.flush(within: .seconds(60))
            #expect(try CallLog.read(path).count == 2 && log.recordFailure == nil)
            // Nobody but the writer has read the calls.
            #expect(log.state.withLock { $0.cached } == 0)
            await client.shutdown()
        }
    }

    // MARK: Calls that the log does not have

    @Test func callsThatTheLogDoesNotTakeAreNotRecorded() async throws {
        try await withFolder { folder in
            let rig = LogRig(CallLog(recordingTo: "\(folder)/r"))
            rig.log.isPaused = true
            try await rig.get("/paused")
            _ = try? await rig.get("/down") { $0.retry = .never }
            _ = try? await rig.client.get("/users/{id}")
            rig.log.isPaused = false
            rig.stub.hold()
            let call = Task { try await rig.get("/cleared") }
            try await rig.stub.received(count: 3)
            rig.log.clear()
            rig.stub.release()
            try await call.value
            try await rig.get("/kept")
            await rig.log.flush()
            let recorded = try CallLog.read("\(folder)/r")
            #expect(recorded.compactMap(\.request?.url) == ["https://api.example.com/kept"] && recorded.map(\.state) == [.landed])
            await rig.client.shutdown()
        }
    }

    @Test func aCallThatIsLongerThanTheFileIsAFailureOfTheRecord() async throws {
        try await withFolder { folder in
            let rig = LogRig(CallLog(recordingTo: "\(folder)/r", limit: .kib(8)))
            try await rig.get("/" + String(repeating: "a", count: 5_000))
            try await rig.get("/short")
            await rig.log.flush()
            #expect(rig.log.recordFailure?.description.contains("does not fit") == true && rig.log.leftOutOfRecord == 1)
            #expect(try CallLog.read("\(folder)/r").compactMap(\.request?.url) == ["https://api.example.com/short"])
            await rig.client.shutdown()
        }
    }

    @Test func aPipeIsNoRecordAndHoldsNobodyUp() async throws {
        try await withFolder { folder in
            #expect(mkfifo("\(folder)/r", 0o600) == 0)
            let error = #expect(throws: TarmacError.self) { try CallLog.read("\(folder)/r") }
            #expect(error?.code == .unreadableFile)
        }
    }
}
