import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResumableUpload
@testable import TarmacTransfer

@Suite("Resumable uploads", .timeLimit(.minutes(5)))
struct ResumableUploadTests {
    static let protocols: [UploadProtocol] = [.tus, .ietf]
    private let bytes = noise(50_000)
    private static let impatient = ResumeRule.automatic { $0.base = .zero }

    private func stub(_ server: StubUploads) -> StubTransport { StubTransport { try server.answer($0) } }
    private func field(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .accept }

    private func withFile<Value>(_ body: (String, String) async throws -> Value) async throws -> Value {
        try await withFolder { folder in
            try Data(bytes).write(to: URL(filePath: "\(folder)/f.png"))
            return try await body("\(folder)/f.png", folder)
        }
    }

    @Test(arguments: protocols)
    func anUploadSurvivesBreaksAndSendsNoByteTwice(settings: UploadProtocol) async throws {
        let server = StubUploads(), stub = self.stub(server)
        var generator = SeededGenerator(seed: 5)
        server.breakOff(after: (0..<20).map { _ in Int.random(in: 1...2000, using: &generator) })
        try await withFile { path, _ in
            let landed = try await Client(stub) { $0.resume = Self.impatient }.send(Upload(.file(path), to: .post("/files"), by: settings))
            #expect(landed.url.path == "/uploads/1")
            #expect(server.uploads["/uploads/1"]?.bytes == bytes)
            #expect(server.bytesReceived == 50_000)
            #expect(landed.response.body.collected == (settings == .tus ? Bytes.empty : Bytes("landed")))
        }
        // The creation; twenty times append and ask; the rest.
        #expect(stub.requests.count == 42)
    }

    /// The bytes of a success count for no time limit of an attempt, and those of the answer to a creation are read before the upload goes on.
    @Test(arguments: protocols)
    func anAnswerThatDoesNotEndEndsAtTheTimeLimit(settings: UploadProtocol) async throws {
        final class Endless: ByteStreamSource {
            let isRead: Watched<Bool>
            init(_ isRead: Watched<Bool>) { self.isRead = isRead }
            func next() async throws -> Bytes? {
                isRead.update { $0 = true }
                return try await Watched(false).wait { $0 } ? nil : nil
            }
        }
        let server = StubUploads(), time = ManualTime(), isRead = Watched(false)
        let stub = StubTransport { request in
            var response = try server.answer(request)
            response.body = .stream(ByteStream { Endless(isRead) })
            return response
        }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: time) {
            ($0.timeout, $0.idleTimeout, $0.connectTimeout, $0.resume) = (.seconds(2), .unlimited, .unlimited, .never)
        }
        try await withFile { path, _ in
            let code = Watched<TarmacError.Code?>(nil)
            let upload = Task {
                do { _ = try await client.send(Upload(.file(path), to: .post("/files"), by: settings)) } catch {
                    code.update { $0 = (error as? TarmacError)?.code }
                }
            }
            try await isRead.wait { $0 }
            await eventually {
                time.advance(by: .seconds(2))
                return code.value != nil
            }
            await upload.value
            #expect(code.value == .timeout)
        }
    }

    @Test func theWordsOfTusAreThoseOfItsSpecification() async throws {
        let server = StubUploads(), stub = self.stub(server)
        try await withFile { path, _ in _ = try await Client(stub).send(Upload(.file(path), to: .post("/files"), by: .tus)) }
        let creation = try #require(stub.requests.first), append = try #require(stub.requests.last)
        #expect(stub.requests.map(\.method) == [.post, .patch])
        #expect(creation.headers[field("Tus-Resumable")] == "1.0.0")
        #expect(creation.headers[field("Upload-Length")] == "50000")
        #expect(creation.headers[field("Upload-Metadata")] == "filename Zi5wbmc=,filetype aW1hZ2UvcG5n")
        #expect(creation.body.isNone)
        #expect(append.headers[field("Upload-Offset")] == "0")
        #expect(append.headers[.contentType] == "application/offset+octet-stream")
    }

    @Test func theWordsOfTheDraftAreThoseOfItsText() async throws {
        let server = StubUploads(), posted = self.stub(server)
        try await withFile { path, _ in _ = try await Client(posted).send(Upload(.file(path), to: .post("/files"), by: .ietf { $0.chunkSize = 30_000 })) }
        #expect(posted.requests.map { $0.headers[field("Upload-Complete")] } == ["?0", "?0", "?1"])
        #expect(posted.requests.map { $0.headers[field("Upload-Offset")] } == [nil, "0", "30000"])
        #expect(posted.requests.allSatisfy { $0.headers[field("Upload-Draft-Interop-Version")] == "8" })
        #expect(posted.requests.first?.headers[field("Upload-Length")] == "50000")
        #expect(posted.requests.first?.headers[.contentType] == "image/png")
        #expect(posted.requests.last?.headers[.contentType] == "application/partial-upload")
    }

    @Test(arguments: protocols)
    func anAnswerThatGetsLostIsNotSentForTwice(settings: UploadProtocol) async throws {
        let server = StubUploads(), stub = self.stub(server)
        server.breakOff(after: [60_000])
        try await withFile { path, _ in
            _ = try await Client(stub).send(Upload(.file(path), to: .post("/files"), by: settings))
        }
        #expect(stub.requests.map(\.method) == [.post, .patch, .head])
        #expect(server.bytesReceived == 50_000)
    }

    @Test(arguments: protocols)
    func anotherProcessGoesOnAndAnotherFileDoesNot(settings: UploadProtocol) async throws {
        let server = StubUploads(), ledger = TransferLedger(MemoryTransferStore())
        server.breakOff(after: [20_000])
        try await withFile { path, folder in
            let configure: (inout Options) -> Void = {
                $0.transferLedger = ledger
                $0.resume = .never
            }
            let first = Client(self.stub(server), configure: configure)
            let error = await failure { try await first.send(Upload(.file(path), to: .post("/files"), by: settings)) }
            #expect(error?.code == .connectionLost)
            let records = try await ledger.unfinished()
            #expect(records.map(\.isUpload) == [true])
            #expect(!records.description.contains("/uploads/1"))
            let second = self.stub(server)
            // The same file in another folder, as in a container that has moved.
            try FileManager.default.createDirectory(atPath: "\(folder)/new", withIntermediateDirectories: true)
            try FileManager.default.moveItem(atPath: path, toPath: "\(folder)/new/f.png")
            _ = try await Client(second, configure: configure).send(Upload(.file("\(folder)/new/f.png"), to: .post("/files"), by: settings))
            #expect(second.requests.map(\.method) == [.head, .patch])
            #expect(server.uploads["/uploads/1"]?.bytes == bytes)
            #expect(server.bytesReceived == 50_000)
            let left = try await ledger.unfinished()
            #expect(left == [])

            server.breakOff(after: [20_000])
            let again = Client(self.stub(server), configure: configure)
            _ = await failure { try await again.send(Upload(.file("\(folder)/new/f.png"), to: .post("/files"), by: settings)) }
            try Data(noise(50_000, seed: 99)).write(to: URL(filePath: "\(folder)/new/f.png"))
            let third = self.stub(server)
            _ = try await Client(third, configure: configure).send(Upload(.file("\(folder)/new/f.png"), to: .post("/files"), by: settings))
            #expect(third.requests.map(\.method) == [.post, .patch])
            #expect(server.uploads["/uploads/3"]?.bytes == noise(50_000, seed: 99))
        }
    }

    @Test(arguments: protocols)
    func whatTheServerHasForgottenBeginsAnew(settings: UploadProtocol) async throws {
        let server = StubUploads(), count = Locked(0)
        let stub = StubTransport { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 3 { server.forget() }
            return try server.answer(request)
        }
        server.breakOff(after: [20_000])
        try await withFile { path, _ in
            let landed = try await Client(stub).send(Upload(.file(path), to: .post("/files"), by: settings))
            #expect(landed.url.path == "/uploads/2")
            #expect(server.uploads["/uploads/2"]?.bytes == bytes)
        }
    }

    @Test func anUploadPastItsDateIsNotAskedFor() async throws {
        let ledger = TransferLedger(MemoryTransferStore()), time = ManualTime(date: Date(timeIntervalSince1970: 784_111_777))
        let fields: [(UploadProtocol, HTTPFields)] = [
            (.tus, [field("Upload-Expires"): "Sun, 06 Nov 1994 09:49:37 GMT"]), (.ietf, [field("Upload-Limit"): "max-age=3600, other=?1"]),
        ]
        for (settings, fields) in fields {
            let server = StubUploads(fields: fields)
            server.breakOff(after: [20_000])
            try await withFile { path, _ in
                let configure: (inout Options) -> Void = {
                    $0.transferLedger = ledger
                    $0.resume = .never
                }
                let first = Client(self.stub(server), time: time, configure: configure)
                _ = await failure { try await first.send(Upload(.file(path), to: .post("/files"), by: settings)) }
                time.advance(by: .seconds(3601))
                let stub = self.stub(server)
                _ = try await Client(stub, time: time, configure: configure).send(Upload(.file(path), to: .post("/files"), by: settings))
                #expect(stub.requests.first?.method == .post)
            }
            time.setDate(Date(timeIntervalSince1970: 784_111_777))
        }
    }

    @Test func checksumsGoWithEachRequestAndDamageIsSentAgain() async throws {
        let server = StubUploads(), isFirst = Locked(true)
        let stub = StubTransport { request in
            let damages =
                request.method == .patch
                && isFirst.withLock { first in
                    defer { first = false }
                    return first
                }
            return damages ? .status(.init(code: 460, reasonPhrase: "Checksum Mismatch")) : try server.answer(request)
        }
        try await withFile { path, _ in
            let settings = UploadProtocol.tus { ($0.checksum, $0.chunkSize) = (.sha1, 30_000) }
            _ = try await Client(stub) { $0.resume = Self.impatient }.send(Upload(.file(path), to: .post("/files"), by: settings))
        }
        #expect(server.uploads["/uploads/1"]?.bytes == bytes)
        let sums = stub.requests.filter { $0.method == .patch }.compactMap { $0.headers[field("Upload-Checksum")] }
        let digest = { (part: ArraySlice<UInt8>) in "sha1 " + Data(Digesters.builtIn.digest(Bytes(Array(part)), .sha1)).base64EncodedString() }
        #expect(sums == [digest(bytes[..<30_000]), digest(bytes[..<30_000]), digest(bytes[30_000...])])
    }

    @Test func theServersLimitsAreObeyed() async throws {
        let small = StubUploads(fields: [field("Upload-Limit"): "max-append-size=20000"]), stub = self.stub(small)
        try await withFile { path, _ in
            _ = try await Client(stub).send(Upload(.file(path), to: .post("/files"), by: .ietf))
            #expect(stub.requests.filter { $0.method == .patch }.map { $0.body.length } == [20_000, 20_000, 10_000])
            let limits: [(UploadProtocol, HTTPFields)] = [(.ietf, [field("Upload-Limit"): "max-size=49999"]), (.tus, [field("Tus-Max-Size"): "49999"])]
            for (settings, fields) in limits {
                let stub = self.stub(StubUploads(fields: fields))
                let error = await failure { try await Client(stub).send(Upload(.file(path), to: .post("/files"), by: settings)) }
                #expect(error?.code == .bodyTooLarge)
                #expect(stub.requests.count == 1)
            }
        }
    }

    @Test(arguments: protocols)
    func serversThatMakeNoSenseAreErrors(settings: UploadProtocol) async throws {
        let answers: [@Sendable (Request) throws -> Response] = [
            { _ in .status(.created) },
            { $0.method == .post ? .status(.created, headers: [.location: "ftp://x/"]) : .status(.noContent) },
            { $0.method == .post ? .status(.created, headers: [.location: "http://s.example/1"]) : .status(.noContent) },
            { request in
                if request.method == .post { return .status(.created, headers: [.location: "/1"]) }
                return .status(.noContent, headers: [HTTPField.Name("Upload-Offset") ?? .accept: "many", HTTPField.Name("Upload-Complete") ?? .accept: "?0"])
            },
            { request in
                if request.method == .post { return .status(.created, headers: [.location: "/1"]) }
                return .status(.noContent, headers: [HTTPField.Name("Upload-Offset") ?? .accept: "99999", HTTPField.Name("Upload-Complete") ?? .accept: "?0"])
            },
        ]
        try await withFile { path, _ in
            for (number, answer) in answers.enumerated() {
                let stub = StubTransport { try answer($0) }
                let error = await failure("\(number)") {
                    try await Client(stub) { $0.resume = Self.impatient }.send(Upload(.file(path), to: .post("/files"), by: settings))
                }
                #expect([.uploadProtocolFailed, .invalidURL, .redirectRefused].contains(error?.code), "\(number)")
                #expect(stub.requests.count < 5)
            }
        }
    }

    @Test(arguments: protocols)
    func aFileThatChangesMeanwhileIsAnError(settings: UploadProtocol) async throws {
        let server = StubUploads()
        try await withFile { path, _ in
            let stub = StubTransport { request in
                if request.method == .patch { try Data(noise(49_999, seed: 1)).write(to: URL(filePath: path)) }
                return try server.answer(request)
            }
            for chunk in [20_000, nil] as [Int64?] {
                var settings = settings
                settings.chunkSize = chunk
                try Data(bytes).write(to: URL(filePath: path))
                let error = await failure { try await Client(stub).send(Upload(.file(path), to: .post("/files"), by: settings)) }
                #expect(error?.code == .unreadableFile)
                #expect(stub.requests.last?.method == .patch)
            }
        }
    }

    /// What is in memory is not copied as a whole for a request, nor told as sent when it begins.
    @Test func bytesGoOutPieceByPiece() async throws {
        let bytes = noise(700_000), source = UploadSource.data(Data(bytes), name: "f")
        var pieces: [Bytes] = []
        for try await piece in source.slice(100..<600_100) { pieces.append(piece) }
        #expect(pieces.map(\.count) == [FileSlice.pieceSize, FileSlice.pieceSize, 600_000 - 2 * FileSlice.pieceSize])
        #expect(pieces.flatMap(\.array) == Array(bytes[100..<600_100]))
    }

    @Test(arguments: protocols)
    func nothingIsAnUploadToo(settings: UploadProtocol) async throws {
        let server = StubUploads()
        _ = try await Client(self.stub(server)).send(Upload(.data(Data(), name: "none"), to: .post("/files"), by: settings))
        #expect(server.uploads["/uploads/1"]?.bytes == [])
        #expect(server.uploads["/uploads/1"]?.isComplete == (settings == .ietf))
    }

    @Test(arguments: protocols)
    func anUnwantedUploadIsEndedOnTheServer(settings: UploadProtocol) async throws {
        let server = StubUploads(), ledger = TransferLedger(MemoryTransferStore())
        server.breakOff(after: [20_000])
        try await withFile { path, _ in
            let client = Client(self.stub(server)) {
                $0.transferLedger = ledger
                $0.resume = .never
            }
            _ = await failure { try await client.send(Upload(.file(path), to: .post("/files"), by: settings)) }
            let record = try #require(try await ledger.unfinished().first)
            try await client.terminate(record, in: ledger)
            #expect(server.uploads.isEmpty)
            try await client.terminate(record, in: ledger)
            let left = try await ledger.unfinished()
            #expect(left == [])
        }
    }

    @Test(arguments: protocols)
    func progressIsThatOfTheWholeAndAPauseKeepsIt(settings: UploadProtocol) async throws {
        let server = StubUploads(), gate = Watched(false)
        let stub = StubTransport { request in
            if request.method == .head { try await gate.wait { $0 } }
            return try server.answer(request)
        }
        server.breakOff(after: [20_000])
        try await withFile { path, _ in
            let client = Client(stub)
            let transfer = Started(try Upload(.file(path), to: .post("/files"), by: settings), on: client)
            try await stub.received(count: 3)
            transfer.pause()
            try await stub.isIdle()
            gate.update { $0 = true }
            transfer.resume()
            let landed = try await transfer.value
            #expect(landed.url.path == "/uploads/1")
            let last = transfer.told.value.last
            #expect(last?.sent == 50_000)
            #expect(last?.totalToSend == 50_000)
        }
        #expect(server.bytesReceived == 50_000)
    }

    @Test func settingsThatMeanNothingAreRefused() async throws {
        let stub = self.stub(StubUploads())
        for settings in [UploadProtocol.tus { $0.chunkSize = 0 }, .ietf { $0.checksum = .sha1 }, .tus { $0.metadata = ["a b": "c"] }] {
            let error = await failure { try await Client(stub).send(Upload(.data(Data([1]), name: "n"), to: .post("/files"), by: settings)) }
            #expect(error?.code == .invalidOption)
        }
        #expect(stub.requests.isEmpty)
    }

    @Test func anUploadElsewhereCarriesNoSecrets() async throws {
        let server = StubUploads()
        let stub = StubTransport { request in
            var response = try server.answer(request)
            if request.method == .post { response.headers[.location] = "https://other.example/uploads/1" }
            return response
        }
        try await withFile { path, _ in
            _ = try await Client(stub).send(Upload(.file(path), to: .post("/files"), by: .tus)) {
                $0.headers["Authorization"] = "Bearer hunter2"
                $0.headers["X-Call"] = "1"
            }
        }
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer hunter2", nil])
        #expect(stub.requests.last?.url.host == "other.example")
    }
}
