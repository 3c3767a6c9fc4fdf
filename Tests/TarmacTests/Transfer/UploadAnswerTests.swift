import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience
@testable import TarmacResumableUpload
@testable import TarmacTransfer

/// What answers say that are not the plain ones: nothing, to wait, another date.
@Suite("Answers to resumable uploads", .timeLimit(.minutes(5)))
struct UploadAnswerTests {
    private static let impatient = ResumeRule.automatic { $0.base = .zero }
    private let source = UploadSource.data(Data(noise(50_000)), name: "f.png")
    private let recorder = EventRecorder()

    /// Answers the appends with these numbers, from 1, in place of the server.
    private func stub(_ server: StubUploads, _ answer: @escaping @Sendable (_ number: Int, Request) throws -> Response?) -> StubTransport {
        let count = Locked(0)
        return StubTransport { request in
            guard request.method == .patch else { return try server.answer(request) }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return try answer(number, request) ?? server.answer(request)
        }
    }

    // MARK: Successes that say nothing

    @Test(arguments: [HTTPResponse.Status.ok, .noContent])
    func aSuccessOfTusWithoutAnOffsetIsNone(status: HTTPResponse.Status) async throws {
        let server = StubUploads(), stub = self.stub(server) { _, _ in .status(status) }
        let error = await failure { try await Client(stub) { $0.resume = Self.impatient }.send(Upload(source, to: .post("/files"), by: .tus)) }
        #expect(error?.code == .uploadProtocolFailed)
        #expect(error?.status == status)
        #expect(stub.requests.map(\.method) == [.post, .patch])
    }

    @Test func theDraftsServerIsAskedWhenASuccessSaysNothing() async throws {
        let server = StubUploads(), stub = self.stub(server) { number, _ in number == 1 ? .text("<html>Log in</html>") : nil }
        let landed = try await Client(stub).send(Upload(source, to: .post("/files"), by: .ietf))
        #expect(stub.requests.map(\.method) == [.post, .patch, .head, .patch])
        #expect(landed.response.body.collected == Bytes("landed"))
        #expect(server.uploads["/uploads/1"]?.bytes == noise(50_000))
    }

    @Test func aServerOfTheDraftThatNeverSaysWhatItHasIsGivenUp() async throws {
        let server = StubUploads(), stub = self.stub(server) { _, _ in .status(.noContent) }
        let error = await failure { try await Client(stub) { $0.resume = Self.impatient }.send(Upload(source, to: .post("/files"), by: .ietf)) }
        #expect(error?.code == .uploadProtocolFailed)
        #expect(stub.requests.filter { $0.method == .patch }.count == ResumeRule.automatic.maxBarrenAttempts + 2)
    }

    @Test func theLastAppendOfTheDraftIsCompleteWhenTheServerSaysSo() async throws {
        let server = StubUploads()
        let stub = self.stub(server) { number, request in
            guard number == 1 else { return nil }
            var request = request
            request.headers[UploadField.complete] = "?0"
            return try server.answer(request)
        }
        _ = try await Client(stub).send(Upload(source, to: .post("/files"), by: .ietf))
        #expect(stub.requests.map(\.method) == [.post, .patch, .patch])
        #expect(stub.requests.last?.headers[UploadField.offset] == "50000")
        #expect(server.uploads["/uploads/1"]?.isComplete == true)
    }

    // MARK: Ends before the end

    static let early: [(offset: String?, isLast: Bool)] = [("20000", false), (nil, false), ("50000", false), ("49999", true), ("0", true)]

    /// Appends of 20,000 bytes to the draft's server, which calls the upload complete too early: the first, or the last.
    @Test(arguments: early)
    func anAppendThatIsNotTheEndIsNotTakenForIt(offset: String?, isLast: Bool) async throws {
        let server = StubUploads()
        let stub = self.stub(server) { number, _ in
            guard number == (isLast ? 3 : 1) else { return nil }
            var fields: HTTPFields = [UploadField.complete: "?1"]
            fields[UploadField.offset] = offset
            return .status(.ok, headers: fields)
        }
        let client = Client(stub) { $0.resume = Self.impatient }
        let error = await failure { try await client.send(Upload(source, to: .post("/files"), by: .ietf { $0.chunkSize = 20_000 })) }
        #expect(error?.code == .uploadProtocolFailed)
        #expect(error?.status == .ok)
        #expect(stub.requests.filter { $0.method == .patch }.count == (isLast ? 3 : 1))
    }

    @Test(arguments: [0, 20_000, 50_000])
    func whatIsAskedForIsCompleteWithAllItsBytesAlone(offset: Int) async throws {
        let server = StubUploads()
        server.breakOff(after: [20_000])
        let stub = StubTransport { request in
            guard request.method == .head else { return try server.answer(request) }
            return .status(.noContent, headers: [UploadField.complete: "?1", UploadField.offset: "\(offset)", UploadField.length: "50000"])
        }
        let upload = { _ = try await Client(stub) { $0.resume = Self.impatient }.send(Upload(source, to: .post("/files"), by: .ietf)) }
        if offset == 50_000 {
            try await upload()
        } else {
            let error = await failure { try await upload() }
            #expect(error?.code == .uploadProtocolFailed)
        }
        #expect(stub.requests.map(\.method) == [.post, .patch, .head])
    }

    // MARK: Another's place

    @Test(arguments: [UploadProtocol.tus, .ietf], [("60000", "60000"), ("60000", nil), ("0", "60000")] as [(String, String?)])
    func aRememberedPlaceThatIsAnothersByNowIsLetGo(settings: UploadProtocol, row: (offset: String, length: String?)) async throws {
        let server = StubUploads(), ledger = TransferLedger(MemoryTransferStore())
        server.breakOff(after: [20_000])
        let configure: (inout Options) -> Void = {
            $0.transferLedger = ledger
            $0.resume = .never
        }
        let first = Client(self.stub(server) { _, _ in nil }, configure: configure)
        _ = await failure { try await first.send(Upload(source, to: .post("/files"), by: settings)) }
        let stub = StubTransport { request in
            guard request.method == .head else { return try server.answer(request) }
            var fields: HTTPFields = [UploadField.offset: row.offset]
            fields[UploadField.length] = row.length
            return .status(.noContent, headers: fields)
        }
        let landed = try await Client(stub, configure: configure).send(Upload(source, to: .post("/files"), by: settings))
        #expect(landed.url.path == "/uploads/2")
        #expect(stub.requests.map(\.method) == [.head, .post, .patch])
        #expect(server.uploads["/uploads/2"]?.bytes == noise(50_000))
    }

    // MARK: To wait

    private func client(_ stub: StubTransport, _ time: ManualTime, deadline: TimeLimit = .unlimited) -> Client {
        Client(stub, time: time) {
            ($0.timeout, $0.idleTimeout, $0.connectTimeout, $0.deadline) = (.unlimited, .unlimited, .unlimited, deadline)
            $0.resume = Self.impatient
            $0.observers = [recorder]
        }
    }

    @Test(arguments: [423, 429, 503])
    func theServersWishIsWaitedFor(status: Int) async throws {
        let server = StubUploads(), time = ManualTime()
        let stub = self.stub(server) { number, _ in number == 1 ? .status(.init(code: status), headers: [.retryAfter: "30"]) : nil }
        let client = client(stub, time)
        let call = Task { try await client.send(Upload(source, to: .post("/files"), by: .tus)) }
        try await recorder.received { if case .stage(ResilienceEvent.retrying(.seconds(30), _)) = $0.kind { true } else { false } }
        try await time.hasSleepers()
        #expect(stub.requests.map(\.method) == [.post, .patch])
        time.advance(by: .seconds(30))
        _ = try await call.value
        #expect(stub.requests.map(\.method) == [.post, .patch, .head, .patch])
    }

    @Test(arguments: [("61", TimeLimit.unlimited), ("30", .seconds(20))])
    func aWishBeyondTheLimitOrTheDeadlineEndsTheUpload(wish: String, deadline: TimeLimit) async throws {
        let stub = self.stub(StubUploads()) { _, _ in .status(.serviceUnavailable, headers: [.retryAfter: wish]) }
        let error = await failure { try await client(stub, ManualTime(), deadline: deadline).send(Upload(source, to: .post("/files"), by: .tus)) }
        #expect(error?.status == .serviceUnavailable)
        #expect(stub.requests.map(\.method) == [.post, .patch])
    }

    @Test func theWishIsAddedToThePauseOfTheRule() {
        let policy = InterruptionPolicy(rule: .automatic { $0.base = .seconds(2) }, maximumRetryAfter: .seconds(10)), lost = TarmacError(.connectionLost)
        #expect(policy.decide(lost, barren: 0, chance: 1, retryAfter: .seconds(10)) == .resume(after: .seconds(10)))
        #expect(policy.decide(lost, barren: 1, chance: 1, retryAfter: .seconds(10)) == .resume(after: .seconds(12)))
        #expect(policy.decide(lost, barren: 1, chance: 1, retryAfter: .seconds(11)) == .fail)
        #expect(policy.decide(lost, barren: 1, chance: 1, retryAfter: .seconds(10), remaining: .seconds(12)) == .fail)
        #expect(policy.decide(lost, barren: 1, chance: 1, remaining: .seconds(2)) == .fail)
        #expect(policy.decide(lost, barren: 1, chance: 1, remaining: .seconds(3)) == .resume(after: .seconds(2)))
        // A date that is past asks for nothing.
        #expect(policy.decide(lost, barren: 0, chance: 1, retryAfter: .zero, remaining: .zero) == .resume(after: .zero))
    }

    // MARK: Dates

    @Test(arguments: [HTTPRequest.Method.patch, .head])
    func aLaterDateOfTheServersIsRemembered(method: HTTPRequest.Method) async throws {
        let server = StubUploads(), ledger = TransferLedger(MemoryTransferStore()), count = Locked(0)
        if method == .head { server.breakOff(after: [20_000]) }
        let stub = StubTransport { request in
            let isSecond =
                request.method == .patch
                && count.withLock { count in
                    count += 1
                    return count == 2
                }
            if isSecond { return .status(.forbidden) }
            var response = try server.answer(request)
            if request.method == method { response.headers[UploadField.expires] = "Sun, 06 Nov 1994 09:49:37 GMT" }
            return response
        }
        let client = Client(stub, time: ManualTime(date: Date(timeIntervalSince1970: 784_111_777))) {
            $0.transferLedger = ledger
            $0.resume = Self.impatient
        }
        let error = await failure { try await client.send(Upload(source, to: .post("/files"), by: .tus { $0.chunkSize = 20_000 })) }
        #expect(error?.status == .forbidden)
        let record = try #require(try await ledger.unfinished().first)
        #expect(record.upload?.expires == Date(timeIntervalSince1970: 784_115_377))
    }

    // MARK: Before there is a place

    @Test func anUploadIsMadeTwiceOnlyWhereThatIsSafe() async throws {
        for isKeyed in [false, true] {
            let server = StubUploads(), isFirst = Locked(true)
            let stub = StubTransport { request in
                let refuses = isFirst.withLock { first in
                    defer { first = false }
                    return first
                }
                return refuses ? .status(.serviceUnavailable) : try server.answer(request)
            }
            let client = Client(stub) {
                $0.retry = .exponential(base: .zero)
                $0.resume = Self.impatient
                if isKeyed { $0.idempotencyKey = .automatic }
            }
            if isKeyed {
                _ = try await client.send(Upload(source, to: .post("/files"), by: .tus))
                #expect(stub.requests.map(\.method) == [.post, .post, .patch])
            } else {
                let error = await failure { try await client.send(Upload(source, to: .post("/files"), by: .tus)) }
                #expect(error?.status == .serviceUnavailable)
                #expect(stub.requests.map(\.method) == [.post])
            }
        }
    }
}
