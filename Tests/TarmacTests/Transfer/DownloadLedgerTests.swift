import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacSupport
@testable import TarmacTransfer

/// With a ledger a download outlives its call and its process, and an app's container that has moved (YTK-B11).
@Suite("Downloads in a ledger", .timeLimit(.minutes(5)))
struct DownloadLedgerTests {
    private func client(_ stub: StubTransport, _ folder: String) -> Client {
        Client(stub) {
            $0.transferLedger = .folder("\(folder)/ledger")
            $0.resume = .automatic { $0.maxBarrenAttempts = 0 }
        }
    }
    private func stub(_ file: StubFile) -> StubTransport { StubTransport { file.answer($0) } }

    // YTK-B11
    @Test func anotherClientGoesOnWhereTheFirstEndedInAFolderThatHasMoved() async throws {
        let bytes = noise(5000), file = StubFile(bytes)
        file.breakOff(after: [3000, 0])
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: "\(folder)/old", withIntermediateDirectories: true)
            let error = await failure { try await client(self.stub(file), "\(folder)/old").send(Download(.get("/f"), to: "\(folder)/old/f")) }
            #expect(error?.code == .connectionLost)
            #expect(names("\(folder)/old").count == 2)
            try FileManager.default.moveItem(atPath: "\(folder)/old", toPath: "\(folder)/new")
            let ledger = TransferLedger.folder("\(folder)/new/ledger")
            let noted = try await ledger.unfinished()
            #expect(noted.map(\.name) == ["f"])
            let stub = self.stub(file)
            try await client(stub, "\(folder)/new").send(Download(.get("/f"), to: "\(folder)/new/f"))
            #expect(stub.requests.map { $0.headers[.range] } == ["bytes=3000-"])
            #expect(content("\(folder)/new/f") == bytes)
            #expect(names("\(folder)/new") == ["f", "ledger"])
            let left = try await ledger.unfinished()
            #expect(left == [])
        }
    }

    @Test func aCancelledDownloadGoesOnAndTheOldFileStaysUntilTheNewOneIsWhole() async throws {
        let bytes = noise(5000), file = StubFile(bytes), held = stub(file)
        file.breakOff(after: [3000])
        held.hold()
        held.release(1)
        try await withFolder { folder in
            try Data("old".utf8).write(to: URL(filePath: "\(folder)/f"))
            let first = client(held, folder)
            let call = Task { try await first.send(Download(.get("/f"), to: "\(folder)/f")) }
            try await held.received(count: 2)
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
            #expect(content("\(folder)/f") == Array("old".utf8))
            let stub = self.stub(file)
            try await client(stub, folder).send(Download(.get("/f"), to: "\(folder)/f"))
            #expect(stub.requests.map { $0.headers[.range] } == ["bytes=3000-"])
            #expect(content("\(folder)/f") == bytes)
        }
    }

    @Test func aFileThatLackedNothingButItsNameIsProvedByItsLastByte() async throws {
        let bytes = noise(5000), file = StubFile(bytes), stub = self.stub(file)
        file.breakOff(after: [5000, 5000])
        try await withFolder { folder in
            file.change { $0.fields[.contentLength] = nil }
            let breaking = Intercepting { request, chain in
                var response = try await chain.proceed(request)
                // The call ends between the last byte and the name.
                if case .stream(let stream) = response.body { response.body = .stream(ByteStream(Doomed(stream))) }
                return response
            }
            let first = client(StubTransport { file.answer($0) }, folder)
            _ = await failure { try await first.send(Download(.get("/f"), to: "\(folder)/f")) { $0.interceptors = [breaking] } }
            let landed = try await client(stub, folder).send(Download(.get("/f"), to: "\(folder)/f"))
            #expect(stub.requests.map { $0.headers[.range] } == ["bytes=4999-"])
            #expect(landed.response.status == .partialContent)
            #expect(content("\(folder)/f") == bytes)
        }
    }

    /// Ends with an error although all has come.
    private struct Doomed: AsyncSequence, Sendable {
        let base: ByteStream
        init(_ base: ByteStream) { self.base = base }
        struct Iterator: AsyncIteratorProtocol {
            var base: ByteStream.Iterator
            mutating func next() async throws -> Bytes? {
                do { if let chunk = try await base.next() { return chunk } } catch {}
                throw TarmacError(.connectionLost, phase: .receiving, "doomed")
            }
        }
        func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }
    }

    @Test func aRecordFindsOnlyTheFileItWasWrittenFor() async throws {
        let new = noise(5000, seed: 8), file = StubFile(noise(5000))
        file.breakOff(after: [3000, 0, 1500, 0])
        try await withFolder { folder in
            for name in ["a", "b"] { try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true) }
            let client = self.client(self.stub(file), folder)
            _ = await failure { try await client.send(Download(.get("/f"), to: "\(folder)/a/f")) }
            file.change { ($0.bytes, $0.tag) = (new, "\"2\"") }
            _ = await failure { try await client.send(Download(.get("/f"), to: "\(folder)/b/f")) }
            for name in ["a", "b"] { #expect(names("\(folder)/\(name)").count == 1) }
            // The record is of the second version, and what lies here is of the first.
            let stub = self.stub(file)
            try await self.client(stub, folder).send(Download(.get("/f"), to: "\(folder)/a/f"))
            #expect(content("\(folder)/a/f") == new)
            #expect(stub.requests.map { $0.headers[.range] } == [nil])
            #expect(names("\(folder)/a") == ["f"])
        }
    }

    @Test func whatNoRecordNamesIsRemovedAndNothingBesidesIt() async throws {
        let bytes = noise(5000), file = StubFile(bytes)
        file.breakOff(after: [3000, 0])
        try await withFolder { folder in
            _ = await failure { try await self.client(self.stub(file), folder).send(Download(.get("/f"), to: "\(folder)/f")) }
            let left = try #require(names(folder).first { $0.hasSuffix(".part") })
            let others = ["f.part", "g\(left.dropFirst())", "\(left)x", "\(left)123", "x\(left)"]
            for name in others + ["\(left)1", "\(left)16"] { try Data("x".utf8).write(to: URL(filePath: "\(folder)/\(name)")) }
            try FileManager.default.removeItem(atPath: "\(folder)/ledger")
            let stub = self.stub(file)
            try await self.client(stub, folder).send(Download(.get("/f"), to: "\(folder)/f"))
            #expect(stub.requests.map { $0.headers[.range] } == [nil])
            #expect(content("\(folder)/f") == bytes)
            #expect(names(folder) == (others + ["f", "ledger"]).sorted())
        }
    }

    @Test func twoOfOneKindDoNotWriteOneFile() async throws {
        let file = StubFile(noise(5000)), stub = self.stub(file)
        try await withFolder { folder in
            let client = client(stub, folder)
            stub.hold()
            async let first = client.send(Download(.get("/f"), to: "\(folder)/f"))
            try await stub.received(count: 1)
            let error = await failure { try await client.send(Download(.get("/f"), to: "\(folder)/f")) }
            #expect(error?.code == .transferInProgress)
            #expect(error?.attempts == 0)
            stub.release()
            _ = try await first
        }
    }

    /// A body that ends when the gate opens, whatever becomes of its task.
    private struct Late: AsyncSequence, Sendable {
        let first: Bytes
        let gate: Watched<Bool>
        struct Iterator: AsyncIteratorProtocol {
            var first: Bytes?
            let gate: Watched<Bool>
            mutating func next() async throws -> Bytes? {
                if let first {
                    self.first = nil
                    return first
                }
                let gate = gate
                // LIFETIME: ends with the gate.
                _ = await Task { try await gate.wait { $0 } }.result
                throw CancellationError()
            }
        }
        func makeAsyncIterator() -> Iterator { Iterator(first: first, gate: gate) }
    }

    @Test func aDownloadThatStartsRightAfterACancelledOneWaitsForIt() async throws {
        let bytes = noise(5000), file = StubFile(bytes), gate = Watched(false)
        let stub = StubTransport { request in
            if request.headers.contains(.range) { return file.answer(request) }
            return .stream(ByteStream(Late(first: Bytes(Array(bytes[..<3000])), gate: gate)), headers: [.eTag: "\"1\"", .contentLength: "5000"])
        }
        try await withFolder { folder in
            let client = client(stub, folder), first = Task { try await client.send(Download(.get("/f"), to: "\(folder)/f")) }
            await eventually { names(folder).first { $0.hasSuffix(".part") }.map { content("\(folder)/\($0)")?.count == 3000 } ?? false }
            first.cancel()
            let second = Task { try await client.send(Download(.get("/f"), to: "\(folder)/f")) }
            // The second one gets to the file meanwhile.
            for _ in 0..<1_000 { await Task.yield() }
            gate.update { $0 = true }
            _ = try await second.value
            await #expect(throws: CancellationError.self) { try await first.value }
            #expect(stub.requests.map { $0.headers[.range] } == [nil, "bytes=3000-"])
            #expect(content("\(folder)/f") == bytes)
        }
    }

    @Test func theKeyIsTheCallersWhereHeNamesOne() async throws {
        let bytes = noise(5000), file = StubFile(bytes), stub = self.stub(file)
        file.breakOff(after: [3000, 0, 0, 0])
        try await withFolder { folder in
            for (path, key) in [("/f?signature=1", "video 1"), ("/f?signature=2", "video 2")] {
                _ = await failure { try await client(stub, folder).send(Download(.get(path), to: "\(folder)/f")) { $0.transferKey = key } }
            }
            try await client(stub, folder).send(Download(.get("/f?signature=3"), to: "\(folder)/f")) { $0.transferKey = "video 1" }
            #expect(stub.requests.map { $0.headers[.range] } == [nil, "bytes=3000-", nil, nil, "bytes=3000-"])
            #expect(content("\(folder)/f") == bytes)
        }
    }

    @Test func aRecordThatIsDamagedOrHostileIsNone() async throws {
        let bytes = noise(5000)
        for damage in ["", "{", "partial\":\"../outside"] {
            let file = StubFile(bytes), stub = self.stub(file)
            file.breakOff(after: [3000, 0])
            try await withFolder { folder in
                _ = await failure { try await client(stub, folder).send(Download(.get("/f"), to: "\(folder)/f")) }
                let record = try #require(names("\(folder)/ledger").first.map { "\(folder)/ledger/\($0)" })
                let text = try String(contentsOfFile: record, encoding: .utf8)
                let name = try #require(names(folder).first { $0.hasSuffix(".part") })
                let damaged = damage.hasPrefix("partial") ? text.replacingOccurrences(of: "partial\":\"\(name)", with: damage) : damage
                #expect(damaged != text)
                try damaged.write(toFile: record, atomically: true, encoding: .utf8)
                try await client(stub, folder).send(Download(.get("/f"), to: "\(folder)/f"))
                #expect(stub.requests.last?.headers[.range] == nil)
                #expect(content("\(folder)/f") == bytes)
            }
        }
    }

    @Test func aRecordShowsNoSecretAndItsFileIsTheUsersAlone() async throws {
        let file = StubFile(noise(5000))
        file.breakOff(after: [3000, 0])
        try await withFolder { folder in
            _ = await failure { try await client(self.stub(file), folder).send(Download(.get("/f?token=hunter2"), to: "\(folder)/f")) }
            let record = try #require(names("\(folder)/ledger").first.map { "\(folder)/ledger/\($0)" })
            let text = try String(contentsOfFile: record, encoding: .utf8)
            #expect(!text.contains("hunter2"))
            #expect(try FileManager.default.attributesOfItem(atPath: record)[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test(arguments: TransferStoreConformance.Case.allCases, [true, false])
    func storesConform(name: TransferStoreConformance.Case, isFile: Bool) async throws {
        try await withFolder { folder in
            try await TransferStoreConformance.run(name) { isFile ? FileTransferStore(folder: "\(folder)/l") as any TransferStore : MemoryTransferStore() }
        }
    }

    /// A process killed between writing a record and giving it its name leaves what it has written.
    @Test func whatNeverGotItsNameIsSweptAndWhatIsBeingWrittenIsNot() async throws {
        try await withFolder { folder in
            let store = FileTransferStore(folder: folder), others = ["ab.transfer.json.x", "ab.transfer.json.", "notes.1", "xy.transfer.json.1"]
            let held = FileDescriptor.create("\(folder)/cd.transfer.json.7")
            let isHeld = FileDescriptor.lock(held)
            #expect(isHeld)
            for name in others { try Data("x".utf8).write(to: URL(filePath: "\(folder)/\(name)")) }
            for lists in [true, false] {
                try await store.save(Data("record".utf8), for: "ab")
                for name in ["ab.transfer.json.1", "0123.transfer.json.4294967295"] { try Data("dead".utf8).write(to: URL(filePath: "\(folder)/\(name)")) }
                if lists {
                    let keys = try await store.keys()
                    #expect(keys == ["ab"])
                } else {
                    try await store.remove("ab")
                }
                #expect(names(folder) == (others + ["cd.transfer.json.7"] + (lists ? ["ab.transfer.json"] : [])).sorted())
            }
            FileDescriptor.closeFile(held)
        }
    }

    @Test func recordsSurviveThatOthersSweep() async throws {
        try await withFolder { folder in
            let store = FileTransferStore(folder: folder)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<4 {
                    group.addTask { for round in 0..<5 { try await store.save(Data("\(round)".utf8), for: "a\(number)") } }
                    group.addTask { for _ in 0..<20 { _ = try await store.keys() } }
                }
                try await group.waitForAll()
            }
            #expect(names(folder).count == 4)
            let last = try await store.record(for: "a3")
            #expect(last == Data("4".utf8))
        }
    }

    @Test func aRecordThatCannotBeReadNowIsNotTakenForNone() async throws {
        try await withFolder { folder in
            let store = FileTransferStore(folder: folder)
            try FileManager.default.createDirectory(atPath: "\(folder)/ab.transfer.json", withIntermediateDirectories: true)
            await #expect(throws: TarmacError.self) { try await store.record(for: "ab") }
            try Data("x".utf8).write(to: URL(filePath: "\(folder)/file"))
            await #expect(throws: TarmacError.self) { try await FileTransferStore(folder: "\(folder)/file").keys() }
            #expect(try await FileTransferStore(folder: "\(folder)/none").keys() == [])
        }
    }

    @Test func aKeyThatWouldLeaveTheFolderIsRefused() async throws {
        try await withFolder { folder in
            let store = FileTransferStore(folder: "\(folder)/l")
            for key in ["../x", "", "a/b", "x"] { await #expect(throws: TarmacError.self) { try await store.save(Data(), for: key) } }
            #expect(names(folder) == ["l"] || names(folder) == [])
        }
    }
}
