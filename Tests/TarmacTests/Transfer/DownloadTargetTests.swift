import Foundation
import Tarmac
import TarmacTransfer
import TarmacTesting
import Testing

/// A path that cannot become a file is refused before anything is sent, and nothing is left beside it.
@Suite("Targets of downloads", .timeLimit(.minutes(5)))
struct DownloadTargetTests {
    /// A bad path in a folder that has a folder `there`, a file `file` and a loop of links `loop`.
    struct Target: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let path: @Sendable (_ folder: String) -> String
        init(_ name: String, _ path: @escaping @Sendable (String) -> String) { (testDescription, self.path) = (name, path) }
    }

    static let bad = [
        Target("empty") { _ in "" },
        Target("a folder") { "\($0)/there" },
        Target("the current folder") { _ in "." },
        Target("in a folder that does not exist") { "\($0)/none/f" },
        Target("in a file") { "\($0)/file/f" },
        Target("in a loop of links") { "\($0)/loop/f" },
        Target("a name of 300 characters") { "\($0)/\(String(repeating: "n", count: 300))" },
        Target("a name of 256 bytes") { "\($0)/\(String(repeating: "é", count: 128))" },
        Target("a path of 5000 characters") { "\($0)/\(String(repeating: "there/../", count: 555))f" },
        Target("a NUL in the name") { "\($0)/f\0g" },
        Target("a device") { _ in "/dev/null" },
    ]

    @Test(arguments: bad)
    func aBadTargetIsRefusedBeforeAnythingIsSent(target: Target) async throws {
        let file = StubFile(noise(5000)), stub = StubTransport { file.answer($0) }
        for hasLedger in [false, true] {
            try await withFolder { folder in
                let manager = FileManager.default
                try manager.createDirectory(atPath: "\(folder)/there", withIntermediateDirectories: true)
                try Data("old".utf8).write(to: URL(filePath: "\(folder)/file"))
                try manager.createSymbolicLink(atPath: "\(folder)/loop", withDestinationPath: "\(folder)/loop")
                let ledger = hasLedger ? TransferLedger(MemoryTransferStore()) : .off
                let error = await failure { try await Client(stub) { $0.transferLedger = ledger }.send(Download(.get("/x"), to: target.path(folder))) }
                #expect(error?.code == .unwritableFile)
                #expect(names(folder) == ["file", "loop", "there"])
            }
        }
        #expect(stub.requests.isEmpty)
    }

    /// A folder takes the name from the URL, which may be one that no file can have.
    @Test func aNameOfTheURLThatIsTooLongIsRefusedBeforeAnythingIsSent() async throws {
        let stub = StubTransport { _ in .text("never asked for") }
        try await withFolder { folder in
            let long = String(repeating: "n", count: 300)
            let error = await failure { try await Client(stub).send(Download(.get("/\(long)"), to: "\(folder)/")) }
            #expect(error?.code == .unwritableFile)
            #expect(names(folder) == [])
        }
        #expect(stub.requests.isEmpty)
    }

    static let good = [
        Target("the longest name") { "\($0)/\(String(repeating: "n", count: 255))" },
        Target("a link that leads nowhere") { "\($0)/dangling" },
        Target("an existing file") { "\($0)/file" },
        Target("a new file") { "\($0)/new" },
    ]

    @Test(arguments: good)
    func aGoodTargetGetsTheFile(target: Target) async throws {
        let bytes = noise(5000), file = StubFile(bytes)
        try await withFolder { folder in
            try Data("old".utf8).write(to: URL(filePath: "\(folder)/file"))
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/dangling", withDestinationPath: "\(folder)/none/at/all")
            try await Client(StubTransport { file.answer($0) }).send(Download(.get("/x"), to: target.path(folder)))
            #expect(content(target.path(folder)) == bytes)
        }
    }
}
