import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacResumableUpload
@testable import TarmacTransfer

/// An upload that does not learn what became of its bytes asks, and is not given up or begun again for that.
@Suite("Unknown outcomes of uploads", .timeLimit(.minutes(5)))
struct UploadUnknownTests {
    private static let impatient = ResumeRule.automatic { $0.base = .zero }
    private let bytes = noise(50_000)
    private var source: UploadSource { .data(Data(bytes), name: "f.png") }

    /// Answers the first questions for the offset in place of the server.
    private func stub(_ server: StubUploads, _ answers: [Response]) -> StubTransport {
        let rest = Locked(answers)
        return StubTransport { request in
            if request.method == .head, let answer = rest.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return answer }
            return try server.answer(request)
        }
    }

    static let strangers: [Response] = [
        .text("<html>Log in</html>"), .status(.noContent), .status(.serviceUnavailable), .status(.internalServerError), .status(.conflict),
    ]

    /// After a lost answer, somebody else answers the question, such as the login page of a network.
    @Test(arguments: ResumableUploadTests.protocols, strangers.indices)
    func aQuestionThatAnotherAnswersIsAskedAgain(settings: UploadProtocol, stranger: Int) async throws {
        let server = StubUploads(), stub = self.stub(server, [Self.strangers[stranger]])
        server.breakOff(after: [20_000])
        _ = try await Client(stub) { $0.resume = Self.impatient }.send(Upload(source, to: .post("/files"), by: settings))
        #expect(stub.requests.map(\.method) == [.post, .patch, .head, .head, .patch])
        #expect(server.uploads["/uploads/1"]?.bytes == bytes)
        #expect(server.bytesReceived == 50_000)
    }

    static let lostEnds: [(status: Int, isGateway: Bool)] = [(404, false), (410, false), (404, true)]

    /// The bytes are all there, and the server removes a complete upload from its address. A second one would be a copy.
    @Test(arguments: ResumableUploadTests.protocols, lostEnds)
    func anUploadThatMayBeCompleteIsNotBegunAgain(settings: UploadProtocol, row: (status: Int, isGateway: Bool)) async throws {
        let server = StubUploads(), isFirst = Locked(true)
        let stub = StubTransport { request in
            if request.method == .head { return .status(.init(code: row.status)) }
            let answer = try server.answer(request)
            let isLost =
                request.method == .patch && row.isGateway
                && isFirst.withLock { first in
                    defer { first = false }
                    return first
                }
            return isLost ? .status(.gatewayTimeout) : answer
        }
        if !row.isGateway { server.breakOff(after: [60_000]) }
        let ledger = TransferLedger(MemoryTransferStore())
        let client = Client(stub) { ($0.resume, $0.transferLedger) = (Self.impatient, ledger) }
        let error = await failure { _ = try await client.send(Upload(source, to: .post("/files"), by: settings)) }
        #expect(error?.code == (row.isGateway ? .unacceptableStatus : .connectionLost))
        #expect(error?.reason.contains("may be complete") == true && error?.reach == .mayHaveActed)
        #expect(stub.requests.map(\.method) == [.post, .patch, .head])
        #expect(server.uploads.count == 1 && server.uploads["/uploads/1"]?.bytes == bytes)
        // The record stays until the app decides.
        #expect(try await ledger.unfinished().count == 1)
    }

    /// With bytes that were certainly not sent, it is not complete.
    @Test(arguments: ResumableUploadTests.protocols)
    func anUploadThatIsSurelyIncompleteIsBegunAgain(settings: UploadProtocol) async throws {
        let server = StubUploads(), stub = self.stub(server, [.status(.notFound)])
        server.breakOff(after: [20_000])
        _ = try await Client(stub) { $0.resume = Self.impatient }.send(Upload(source, to: .post("/files"), by: settings))
        #expect(stub.requests.map(\.method) == [.post, .patch, .head, .post, .patch])
    }

    @Test(arguments: ResumableUploadTests.protocols)
    func aServerThatNeverSaysWhatItHasIsGivenUpAndStaysInTheLedger(settings: UploadProtocol) async throws {
        let server = StubUploads(), stub = self.stub(server, Array(repeating: .status(.noContent), count: 100))
        let ledger = TransferLedger(MemoryTransferStore())
        server.breakOff(after: [20_000])
        let client = Client(stub) { ($0.resume, $0.transferLedger) = (Self.impatient, ledger) }
        let error = await failure { _ = try await client.send(Upload(source, to: .post("/files"), by: settings)) }
        #expect(error?.code == .uploadProtocolFailed)
        #expect(stub.requests.filter { $0.method == .head }.count == Self.impatient.maxBarrenAttempts + 1)
        #expect(try await ledger.unfinished().count == 1)
        // The next call continues the same upload.
        let second = Client(StubTransport { try server.answer($0) }) { $0.transferLedger = ledger }
        _ = try await second.send(Upload(source, to: .post("/files"), by: settings))
        #expect(server.uploads.count == 1)
        #expect(server.uploads["/uploads/1"]?.bytes == bytes)
    }

    /// The server holds the request of a connection that is gone for longer than the call asks. A stored call tries again.
    @Test(arguments: ResumableUploadTests.protocols, [409, 423, 460])
    func aServerThatHoldsAnEarlierRequestRefusesNothing(settings: UploadProtocol, status: Int) async throws {
        let server = StubUploads(), stub = self.stub(server, Array(repeating: .status(.init(code: status)), count: 100))
        server.breakOff(after: [20_000])
        let client = Client(stub) { $0.resume = Self.impatient }
        let error = await failure { _ = try await client.send(Upload(source, to: .post("/files"), by: settings)) }
        #expect(error?.code == .connectionLost && error?.isTransient == true)
        #expect(error?.reason.contains("\(status)") == true)
    }
}
