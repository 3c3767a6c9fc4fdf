import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResumableUpload
@testable import TarmacTransfer

/// A server cannot have bytes that were never sent to it.
@Suite("Uploads of which a server claims too much", .timeLimit(.minutes(5)))
struct UploadClaimTests {
    private static let impatient = ResumeRule.automatic { $0.base = .zero }
    private let bytes = noise(50_000)
    private func upload(_ settings: UploadProtocol) -> Upload<UploadedFile> {
        var part = settings
        part.chunkSize = 1000
        return Upload(.data(Data(bytes), name: "f.png"), to: .post("/files"), by: part)
    }
    private func client(_ stub: StubTransport, _ ledger: TransferLedger = .off, resume: ResumeRule = impatient) -> Client {
        Client(stub) { ($0.transferLedger, $0.resume) = (ledger, resume) }
    }

    private static func claim(_ offset: Int, isComplete: Bool = false) -> Response {
        .status(.noContent, headers: [UploadField.offset: "\(offset)", UploadField.complete: isComplete ? "?1" : "?0"])
    }

    /// The first of 50 requests with 1000 bytes breaks off. The server has between 0 and 1000 bytes.
    @Test(arguments: ResumableUploadTests.protocols, [0, 999, 1000, 1001, 49_999, 50_000, 50_001])
    func anOffsetBeyondTheFurthestRequestIsNone(settings: UploadProtocol, offset: Int) async throws {
        for ledger in [TransferLedger.off, TransferLedger(MemoryTransferStore())] {
            let server = StubUploads(), isFirst = Locked(true)
            server.breakOff(after: [min(offset, 1000)])
            let stub = StubTransport { request in
                let lies =
                    request.method == .head
                    && isFirst.withLock { first in
                        defer { first = false }
                        return first
                    }
                return lies ? Self.claim(offset, isComplete: offset == 50_000) : try server.answer(request)
            }
            if offset <= 1000 {
                _ = try await client(stub, ledger).send(upload(settings))
                #expect(server.uploads["/uploads/1"]?.bytes == bytes)
            } else {
                let error = await failure { _ = try await client(stub, ledger).send(upload(settings)) }
                #expect(error?.code == .uploadProtocolFailed)
                #expect(stub.requests.map(\.method) == [.post, .patch, .head])
            }
        }
    }

    /// The place of an upload whose end was never sent now belongs to another, or its server is wrong.
    @Test(arguments: ResumableUploadTests.protocols)
    func aRememberedPlaceIsNotCompleteBeforeItsEndWasSent(settings: UploadProtocol) async throws {
        let server = StubUploads(), ledger = TransferLedger(MemoryTransferStore())
        server.breakOff(after: [1000])
        _ = await failure { _ = try await client(StubTransport { try server.answer($0) }, ledger, resume: .never).send(upload(settings)) }
        let stub = StubTransport { request in
            request.method == .head && request.url.path == "/uploads/1" ? Self.claim(50_000, isComplete: true) : try server.answer(request)
        }
        let landed = try await client(stub, ledger).send(upload(settings))
        #expect(landed.url.path == "/uploads/2")
        #expect(server.uploads["/uploads/2"]?.bytes == bytes)
    }

    /// Another call with the ledger has finished the upload, and has removed the record or noted the end.
    @Test(arguments: ResumableUploadTests.protocols, [false, true])
    func anEndThatAnotherCallHasSentCounts(settings: UploadProtocol, isRemoved: Bool) async throws {
        let server = StubUploads(), ledger = TransferLedger(MemoryTransferStore())
        server.breakOff(after: [1000])
        let stub = StubTransport { request in
            guard request.method == .head, var record = try await ledger.unfinished().first else { return try server.answer(request) }
            record.upload?.isEndSent = true
            if isRemoved { try await ledger.forget(record) } else { try await ledger.save(record) }
            return Self.claim(50_000, isComplete: true)
        }
        let landed = try await client(stub, ledger).send(upload(settings))
        #expect(landed.url.path == "/uploads/1")
        #expect(stub.requests.map(\.method) == [.post, .patch, .head])
        #expect(try await ledger.unfinished() == [])
    }
}
