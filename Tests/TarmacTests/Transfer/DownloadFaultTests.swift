import Foundation
import HTTPTypes
import Tarmac
import TarmacTransfer
import TarmacTesting
import Testing

/// A file that cannot be put where it belongs: the error says which and why, what was there stays, and nothing is left beside it.
@Suite("Downloads that cannot be written", .timeLimit(.minutes(5)))
struct DownloadFaultTests {
    private let bytes = noise(5000)

    private func folder(_ path: String) throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    @Test func aFileInThePlaceOfAFolderStaysAndIsNamed() async throws {
        try await withFolder { folder in
            try Data("old".utf8).write(to: URL(filePath: "\(folder)/f"))
            let stub = StubTransport { _ in .text("never asked for") }
            let error = await failure { try await Client(stub).send(Download(.get("/"), to: "\(folder)/f/g")) }
            #expect(error?.code == .unwritableFile)
            #expect(error?.reason.contains("\(folder)/f/g") == true)
            #expect(content("\(folder)/f") == Array("old".utf8))
            #expect(stub.requests.isEmpty)
        }
    }

    @Test func aFolderInThePlaceOfTheFileStaysWithWhatIsInIt() async throws {
        try await withFolder { folder in
            try self.folder("\(folder)/f")
            try Data("kept".utf8).write(to: URL(filePath: "\(folder)/f/inside"))
            let error = await failure { try await Client(StubTransport { _ in .text("never asked for") }).send(Download(.get("/"), to: "\(folder)/f")) }
            #expect(error?.code == .unwritableFile)
            #expect(error?.reason.contains("is a folder") == true)
            #expect(content("\(folder)/f/inside") == Array("kept".utf8))
            #expect(names(folder) == ["f"])
        }
    }

    @Test(arguments: [false, true])
    func aFolderThatComesMeanwhileStaysToo(hasLedger: Bool) async throws {
        try await withFolder { folder in
            let file = StubFile(bytes), ledger = TransferLedger(MemoryTransferStore())
            let stub = StubTransport { request in
                // A folder with something in it cannot be replaced by a new name.
                try? self.folder("\(folder)/f/inside")
                return file.answer(request)
            }
            let client = Client(stub) { $0.transferLedger = hasLedger ? ledger : .off }
            let error = await failure { try await client.send(Download(.get("/"), to: "\(folder)/f")) }
            #expect(error?.code == .unwritableFile)
            #expect(error?.reason.contains("\(folder)/f\"") == true)
            #expect(names("\(folder)/f") == ["inside"])
            // With a ledger what has come is not lost: the next call needs one byte to prove it.
            #expect(names(folder).count == (hasLedger ? 2 : 1))
            guard hasLedger else { return }
            try FileManager.default.removeItem(atPath: "\(folder)/f")
            let again = Client(StubTransport { file.answer($0) }) { $0.transferLedger = ledger }
            let before = file.bytesSent
            try await again.send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == bytes)
            #expect(file.bytesSent == before + 1)
            #expect(names(folder) == ["f"])
        }
    }

    @Test func aLinkInThePlaceOfThePartialFileIsNotFollowed() async throws {
        try await withFolder { folder in
            let ledger = TransferLedger(MemoryTransferStore()), file = StubFile(bytes)
            file.breakOff(after: [1000, 0])
            let client = Client(StubTransport { file.answer($0) }) {
                $0.transferLedger = ledger
                $0.resume = .automatic { $0.maxBarrenAttempts = 0 }
            }
            _ = await failure { try await client.send(Download(.get("/"), to: "\(folder)/f")) }
            let partial = try #require(names(folder).first { $0.hasSuffix(".part") })
            try FileManager.default.removeItem(atPath: "\(folder)/\(partial)")
            try Data("mine".utf8).write(to: URL(filePath: "\(folder)/other"))
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(partial)", withDestinationPath: "\(folder)/other")
            let error = await failure { try await client.send(Download(.get("/"), to: "\(folder)/f")) }
            #expect(error?.code == .unwritableFile)
            #expect(content("\(folder)/other") == Array("mine".utf8))
        }
    }
}
