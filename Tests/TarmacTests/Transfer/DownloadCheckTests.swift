import Foundation
import HTTPTypes
import TarmacDigest
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacSupport
@testable import TarmacTransfer

/// What is wrong with a file is an error, and the old file stays.
@Suite("Downloads are checked", .timeLimit(.minutes(5)))
struct DownloadCheckTests {
    private let bytes = noise(5000)
    private func stub(_ file: StubFile) -> StubTransport { StubTransport { file.answer($0) } }
    private func field(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .accept }

    /// Downloads over an old file; what comes out, with the old file looked at.
    private func error(_ file: StubFile, configure: (inout Options) -> Void = { _ in }) async throws -> TarmacError? {
        try await withFolder { folder in
            try Data("old".utf8).write(to: URL(filePath: "\(folder)/f"))
            let error = await failure { try await Client(self.stub(file)).send(Download(.get("/"), to: "\(folder)/f"), configure: configure) }
            #expect(content("\(folder)/f") == Array("old".utf8))
            return error
        }
    }

    private func lands(_ file: StubFile, configure: (inout Options) -> Void = { _ in }) async throws {
        try await withFolder { folder in
            try await Client(self.stub(file)).send(Download(.get("/"), to: "\(folder)/f"), configure: configure)
            #expect(content("\(folder)/f") == bytes)
            #expect(names(folder) == ["f"])
        }
    }

    @Test func theCallersDigestIsHeldAgainstTheWholeFile() async throws {
        let right = Hexadecimal.text(PublicHash.hash(bytes)), file = StubFile(bytes)
        file.breakOff(after: [1000, 2000])
        try await lands(file) { $0.expectedDigest = .sha256(right) }
        try await lands(file) { $0.expectedDigest = .sha512(Hexadecimal.text(Digesters.builtIn.digest(Bytes(bytes), .sha512))) }
        let wrong = try await error(file) { $0.expectedDigest = .sha256(String(right.dropLast() + (right.hasSuffix("0") ? "1" : "0"))) }
        #expect(wrong?.code == .digestMismatch)
        for text in ["", "abc", "zz", String(right.dropLast(2))] {
            let malformed = try await error(file) { $0.expectedDigest = .sha256(text) }
            #expect(malformed?.code == .invalidOption)
            #expect(malformed?.attempts == 0)
        }
    }

    @Test(arguments: ["Repr-Digest", "Content-Digest"], [DigestAlgorithm.sha256, .sha512])
    func whatTheServerSaysIsHeldAgainstIt(name: String, algorithm: DigestAlgorithm) async throws {
        let right = DigestField.value(Digesters.builtIn.digest(Bytes(bytes), algorithm), algorithm)
        let wrong = DigestField.value(Digesters.builtIn.digest(Bytes("x"), algorithm), algorithm)
        try await lands(StubFile(bytes, fields: [field(name): "md5=:AAAA:, \(right)"]))
        #expect(try await error(StubFile(bytes, fields: [field(name): wrong]))?.code == .digestMismatch)
        // Of a key that is there twice the last counts (RFC 9651 §4.2.2).
        try await lands(StubFile(bytes, fields: [field(name): "\(wrong), \(right)"]))
        #expect(try await error(StubFile(bytes, fields: [field(name): "\(right), \(wrong)"]))?.code == .digestMismatch)
        // What cannot be read, or is not secure, says nothing.
        for text in ["sha-256", "sha-256=abc", "sha-256=:AAAA:", "sha=:AAAA:", "=", ",,"] { try await lands(StubFile(bytes, fields: [field(name): text])) }
    }

    @Test func theDigestOfTheWholeCountsForItsPartsToo() async throws {
        let file = StubFile(bytes, fields: [field("Repr-Digest"): DigestField.value(PublicHash.hash(bytes), .sha256)])
        file.breakOff(after: [1000])
        try await lands(file)
    }

    @Test func aWrongDigestLeavesNoPartBehindEvenInALedger() async throws {
        let ledger = TransferLedger(MemoryTransferStore())
        try await withFolder { folder in
            let client = Client(self.stub(StubFile(bytes))) { $0.transferLedger = ledger }
            let wrong = ExpectedDigest.sha256(String(repeating: "0", count: 64))
            let error = await failure { try await client.send(Download(.get("/"), to: "\(folder)/f")) { $0.expectedDigest = wrong } }
            #expect(error?.code == .digestMismatch)
            #expect(names(folder) == [])
            let left = try await ledger.unfinished()
            #expect(left == [])
        }
    }

    @Test func aFileThatIsTooLargeIsRefused() async throws {
        let stated = try await error(StubFile(bytes)) { $0.download = DownloadRule { $0.maximumSize = 4999 } }
        #expect(stated?.code == .bodyTooLarge)
        let file = StubFile(bytes)
        file.change { $0.statesLength = false }
        #expect(try await error(file) { $0.download = DownloadRule { $0.maximumSize = 4999 } }?.code == .bodyTooLarge)
        try await lands(file) { $0.download = DownloadRule { $0.maximumSize = 5000 } }
    }

    @Test func whereThereIsNoRoomNothingIsWritten() async throws {
        let none = try await error(StubFile(bytes)) { $0.download = DownloadRule { $0.availableSpace = .fixed(4999) } }
        #expect(none?.code == .insufficientSpace)
        try await lands(StubFile(bytes)) { $0.download = DownloadRule { $0.availableSpace = .fixed(5000) } }
        try await lands(StubFile(bytes)) {
            $0.download = DownloadRule {
                $0.availableSpace = .fixed(0)
                $0.checksFreeSpace = false
            }
        }
    }

    @Test func whatHasComeStaysWhereThereIsNoRoomForTheRest() async throws {
        try await withFolder { folder in
            try Data("old".utf8).write(to: URL(filePath: "\(folder)/f"))
            let file = StubFile(bytes), ledger = TransferLedger(MemoryTransferStore())
            let client = Client(self.stub(file)) {
                $0.transferLedger = ledger
                $0.resume = .automatic { $0.maxBarrenAttempts = 0 }
            }
            file.breakOff(after: [1000, 0])
            _ = await failure { try await client.send(Download(.get("/"), to: "\(folder)/f")) }
            let tight = DownloadRule { $0.availableSpace = .fixed(3999) }
            let full = await failure { try await client.send(Download(.get("/"), to: "\(folder)/f")) { $0.download = tight } }
            #expect(full?.code == .insufficientSpace)
            #expect(full?.reason.contains("4000") == true)
            #expect(content("\(folder)/f") == Array("old".utf8))
            let again = self.stub(file)
            try await Client(again) { $0.transferLedger = ledger }.send(Download(.get("/"), to: "\(folder)/f"))
            #expect(again.requests.map { $0.headers[.range] } == ["bytes=1000-"])
            #expect(content("\(folder)/f") == bytes)
        }
    }

    @Test func aDiskThatFillsUpSaysSo() throws {
        try #require(FileDescriptor.openForReading("/dev/full") >= 0, "only where the system has a full device")
        let descriptor = FileDescriptor.openForResuming("/dev/full")
        defer { FileDescriptor.closeFile(descriptor) }
        // Nothing in between that may change what the system said last.
        let code = [1].withUnsafeBytes { FileDescriptor.write(descriptor, from: $0, at: 0) } < 0 ? PartialFile.unwritable("/f").code : nil
        #expect(code == .insufficientSpace)
    }

    @Test func moreBytesThanAnnouncedAreRefusedAndFewerAreAskedFor() async throws {
        let lying = StubFile(bytes, fields: [.contentLength: "4000"])
        lying.change { $0.statesLength = false }
        #expect(try await error(lying)?.code == .bodyTooLarge)
        let short = StubFile(bytes, fields: [.contentLength: "9000"])
        short.change { $0.statesLength = false }
        // It ends early, and the rest it announced does not exist: then what there is comes as a whole, and ends early again.
        let error = try await error(short) { $0.resume = .automatic { ($0.base, $0.maxBarrenAttempts) = (.zero, 2) } }
        #expect(error?.code == .truncatedBody)
    }

    @Test(arguments: [("/no/such/folder/f", TarmacError.Code.unwritableFile), ("/dev/null", .unwritableFile)])
    func aTargetThatCannotBeWrittenIsAnErrorBeforeAnythingIsSent(path: String, code: TarmacError.Code) async throws {
        let stub = self.stub(StubFile(bytes))
        let error = await failure { try await Client(stub).send(Download(.get("/"), to: path)) }
        #expect(error?.code == code)
        #expect(stub.requests.isEmpty)
    }
}
