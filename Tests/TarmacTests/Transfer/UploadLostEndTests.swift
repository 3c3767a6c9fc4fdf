import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResumableUpload
@testable import TarmacTransfer

/// The last bytes were sent, and the answer is lost with its call or its process. The ledger remembers it.
@Suite("Uploads whose end was sent before", .timeLimit(.minutes(5)))
struct UploadLostEndTests {
    private static let impatient = ResumeRule.automatic { $0.base = .zero }
    private static let date = Date(timeIntervalSince1970: 784_111_777)
    private let bytes = noise(50_000)
    private var source: UploadSource { .data(Data(bytes), name: "f.png") }
    private func upload(_ settings: UploadProtocol) -> Upload<UploadedFile> { Upload(source, to: .post("/files"), by: settings) }
    private func client(_ stub: StubTransport, _ ledger: TransferLedger, _ time: ManualTime = ManualTime(date: date)) -> Client {
        Client(stub, time: time) { ($0.transferLedger, $0.resume) = (ledger, Self.impatient) }
    }

    /// Runs a call that ends while it waits for the answer to its last bytes, as with its process.
    private func loseEnd(_ server: StubUploads, _ ledger: TransferLedger, _ settings: UploadProtocol) async throws {
        let isSent = Watched(false)
        let stub = StubTransport { request in
            let answer = try server.answer(request)
            guard request.method == .patch else { return answer }
            isSent.update { $0 = true }
            _ = try await Watched(false).wait { $0 }
            return answer
        }
        let client = client(stub, ledger), call = Task { _ = try await client.send(upload(settings)) }
        try await isSent.wait { $0 }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    /// The answers of a server that has removed the complete upload from its address, or has given the address to another.
    static let gone: [Response] = [
        .status(.notFound), .status(.gone), .status(.forbidden),
        .status(.noContent, headers: [UploadField.offset: "0", UploadField.length: "60000"]), .status(.noContent, headers: [UploadField.offset: "60000"]),
    ]

    @Test(arguments: ResumableUploadTests.protocols, gone.indices)
    func laterCallsUploadNoSecondCopyUntilTheRecordIsForgotten(settings: UploadProtocol, answer: Int) async throws {
        let server = StubUploads(), ledger = TransferLedger(MemoryTransferStore())
        try await loseEnd(server, ledger, settings)
        let stub = StubTransport { $0.method == .head ? Self.gone[answer] : try server.answer($0) }
        for _ in 1...3 {
            let error = await failure { _ = try await client(stub, ledger).send(upload(settings)) }
            #expect(error?.code == .connectionLost && error?.reach == .mayHaveActed)
            #expect(error?.reason.contains("may be complete") == true && error?.suggestion?.contains("forget") == true)
        }
        #expect(stub.requests.map(\.method) == [.head, .head, .head])
        let record = try #require(try await ledger.unfinished().first)
        try await ledger.forget(record)
        let landed = try await client(stub, ledger).send(upload(settings))
        #expect(landed.url.path == "/uploads/2")
        #expect(try await ledger.unfinished() == [])
    }

    /// A call that fails by itself leaves the same record.
    @Test(arguments: ResumableUploadTests.protocols)
    func aCallThatFailedSoIsNotRepeatedByTheNext(settings: UploadProtocol) async throws {
        let server = StubUploads(), ledger = TransferLedger(MemoryTransferStore())
        server.breakOff(after: [60_000])
        let stub = StubTransport { $0.method == .head ? .status(.notFound) : try server.answer($0) }
        for _ in 1...2 {
            let error = await failure { _ = try await client(stub, ledger).send(upload(settings)) }
            #expect(error?.code == .connectionLost && error?.reason.contains("may be complete") == true)
        }
        #expect(stub.requests.map(\.method) == [.post, .patch, .head, .head])
    }

    /// The date of an upload says nothing about one that is complete.
    @Test func anUploadPastItsDateThatMayBeCompleteIsAskedFor() async throws {
        let ledger = TransferLedger(MemoryTransferStore()), late = ManualTime(date: Self.date + 3601)
        let fields: [(UploadProtocol, HTTPFields)] = [
            (.tus, [UploadField.expires: "Sun, 06 Nov 1994 09:49:37 GMT"]), (.ietf, [UploadField.limit: "max-age=3600"]),
        ]
        for (settings, fields) in fields {
            let server = StubUploads(fields: fields)
            try await loseEnd(server, ledger, settings)
            let stub = StubTransport { try server.answer($0) }
            _ = try await client(stub, ledger, late).send(upload(settings))
            #expect(stub.requests.map(\.method) == [.head])
            #expect(server.uploads.count == 1)
        }
    }

    /// Bytes that were certainly not sent leave the upload incomplete: a break within them, and a refusal.
    @Test(arguments: ResumableUploadTests.protocols, [false, true])
    func whatIsSurelyIncompleteIsBegunAgain(settings: UploadProtocol, isRefused: Bool) async throws {
        let server = StubUploads(), ledger = TransferLedger(MemoryTransferStore())
        if !isRefused { server.breakOff(after: [20_000]) }
        let first = StubTransport { isRefused && $0.method == .patch ? .status(.unprocessableContent) : try server.answer($0) }
        _ = await failure { _ = try await client(first, ledger).send(upload(settings)) { $0.resume = .never } }
        let record = try #require(try await ledger.unfinished().first)
        #expect(record.upload?.isEndSent == nil)
        server.forget()
        let stub = StubTransport { try server.answer($0) }
        _ = try await client(stub, ledger).send(upload(settings))
        #expect(stub.requests.map(\.method) == [.head, .post, .patch])
    }

    /// The server has not received the end after all. The next failure is judged by itself.
    @Test(arguments: ResumableUploadTests.protocols)
    func anAnswerThatTheUploadIsIncompleteCounts(settings: UploadProtocol) async throws {
        let server = StubUploads(), ledger = TransferLedger(MemoryTransferStore()), mayBeComplete = Locked(true)
        try await loseEnd(server, ledger, settings)
        let stub = StubTransport { request in
            guard request.url.path == "/uploads/1" else { return try server.answer(request) }
            if request.method == .head { return .status(.noContent, headers: [UploadField.offset: "20000"]) }
            let record = try await ledger.unfinished().first
            mayBeComplete.withLock { $0 = record?.upload?.isEndSent == true }
            return .status(.notFound)
        }
        var part = settings
        part.chunkSize = 25_000
        _ = try await client(stub, ledger).send(upload(part))
        #expect(stub.requests.map(\.method) == [.head, .patch, .post, .patch, .patch])
        #expect(!mayBeComplete.withLock { $0 })
    }

    /// Answers to the last bytes from which the outcome is not known: a proxy has sent them twice, or something else has answered.
    static let puzzles: [(UploadProtocol, Response)] = [
        (.tus, .status(.conflict)), (.ietf, .status(.conflict)), (.ietf, problem("completed-upload", .badRequest)),
        (.ietf, problem("mismatching-upload-offset", .conflict)), (.ietf, .status(.noContent)), (.tus, .status(.badGateway)),
    ]

    private static func problem(_ name: String, _ status: HTTPResponse.Status) -> Response {
        let body = Bytes(#"{"type":"https://iana.org/assignments/http-problem-types#\#(name)"}"#)
        return .bytes(body, contentType: "application/problem+json", status: status)
    }

    @Test(arguments: puzzles.indices)
    func anAnswerThatLeavesTheOutcomeOpenIsALostOne(row: Int) async throws {
        let (settings, answer) = Self.puzzles[row], server = StubUploads(), ledger = TransferLedger(MemoryTransferStore())
        let stub = StubTransport { request in
            if request.method == .head { return .status(.notFound) }
            let usual = try server.answer(request)
            return request.method == .patch ? answer : usual
        }
        for _ in 1...2 {
            let error = await failure { _ = try await client(stub, ledger).send(upload(settings)) }
            #expect(error?.reason.contains("may be complete") == true)
        }
        #expect(stub.requests.map(\.method) == [.post, .patch, .head, .head])
        #expect(server.uploads.count == 1)
    }

    @Test func aRecordOfAnEarlierVersionIsReadAsBefore() async throws {
        let store = MemoryTransferStore(), server = StubUploads(), ledger = TransferLedger(store)
        try await loseEnd(server, ledger, .tus)
        let key = try #require(try await store.keys().first)
        let text = String(decoding: try #require(try await store.record(for: key)), as: UTF8.self)
        let older = text.replacingOccurrences(of: #","isEndSent":true"#, with: "").replacingOccurrences(of: #""isEndSent":true,"#, with: "")
        #expect(older != text)
        try await store.save(Data(older.utf8), for: key)
        let record = try #require(try await ledger.unfinished().first)
        #expect(record.upload != nil && record.upload?.isEndSent == nil)
        let stub = StubTransport { try server.answer($0) }
        _ = try await client(stub, ledger).send(upload(.tus))
        #expect(stub.requests.map(\.method) == [.head])
    }
}
