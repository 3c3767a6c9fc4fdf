import Foundation
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResumableUpload

/// Two files of one name, one length and one date, as out of an archive or from a camera.
@Suite("Uploads of files that look alike", .timeLimit(.minutes(5)))
struct UploadFingerprintTests {
    @Test(arguments: ["folders", "replaced"], [UploadProtocol.tus, .ietf]) func anotherFileIsAnotherUpload(kind: String, wire: UploadProtocol) async throws {
        let server = StubUploads(), one = noise(50_000, seed: 1), two = noise(50_000, seed: 2)
        server.breakOff(after: [20_000])
        try await withFolder { folder in
            func write(_ bytes: [UInt8], _ path: String) throws {
                try Data(bytes).write(to: URL(filePath: path))
                try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 315_532_800)], ofItemAtPath: path)
            }
            for name in ["a", "b"] { try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true) }
            let first = "\(folder)/a/IMG_0001.raw", second = kind == "folders" ? "\(folder)/b/IMG_0001.raw" : first
            try write(one, first)
            let stub = StubTransport { try server.answer($0) }
            let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) {
                ($0.transferLedger, $0.resume) = (.folder("\(folder)/ledger"), .never)
            }
            await #expect(throws: TarmacError.self) { try await client.send(Upload(.file(first), to: .post("/files"), by: wire)) }
            try write(two, second)
            let landed = try await client.send(Upload(.file(second), to: .post("/files"), by: wire))
            #expect(server.uploads[landed.url.path]?.bytes == two)
            await client.shutdown()
        }
    }

    /// The file was made again under its name, length and date.
    @Test(arguments: [1_000_000, 6 << 20], [0.0, 0.2, 0.5, 1]) func aPartThatDiffersMakesAnotherFile(size: Int, place: Double) async throws {
        try await withFolder { folder in
            let path = "\(folder)/f", length = size > 4 << 20 ? 200_000 : 1_000, start = Int(Double(size - length) * place)
            func fingerprint(_ bytes: [UInt8]) throws -> String {
                try Data(bytes).write(to: URL(filePath: path))
                try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 315_532_800)], ofItemAtPath: path)
                return try UploadSource.file(path).fingerprint
            }
            var bytes = [UInt8](repeating: 1, count: size)
            let before = try fingerprint(bytes)
            #expect(try fingerprint(bytes) == before)
            bytes.replaceSubrange(start..<start + length, with: repeatElement(2, count: length))
            #expect(try fingerprint(bytes) != before)
        }
    }

    /// Opening one would wait for its writer.
    @Test func aPipeIsRefused() async throws {
        try await withFolder { folder in
            let path = "\(folder)/pipe"
            #expect(mkfifo(path, 0o600) == 0)
            for make in [{ _ = try UploadSource.file(path) }, { _ = try Body.file(path) }] {
                let error = #expect(throws: TarmacError.self) { try make() }
                #expect(error?.code == .unreadableFile)
            }
        }
    }

    /// A copy of a file is the same content, as a picker makes it for each upload.
    @Test func aCopyIsTheSame() async throws {
        try await withFolder { folder in
            for name in ["a", "b"] {
                try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
                try Data(noise(300_000)).write(to: URL(filePath: "\(folder)/\(name)/f"))
                try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 315_532_800)], ofItemAtPath: "\(folder)/\(name)/f")
            }
            #expect(try UploadSource.file("\(folder)/a/f").fingerprint == UploadSource.file("\(folder)/b/f").fingerprint)
        }
    }

    @Test func aFileThatIsReplacedUnderItsDateHasChanged() async throws {
        try await withFolder { folder in
            let path = "\(folder)/f"
            func write(_ seed: UInt64) throws {
                try Data(noise(5_000, seed: seed)).write(to: URL(filePath: path))
                try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 315_532_800)], ofItemAtPath: path)
            }
            try write(1)
            let source = try UploadSource.file(path)
            try source.checkUnchanged()
            try write(2)
            #expect(throws: TarmacError.self) { try source.checkUnchanged() }
        }
    }
}
