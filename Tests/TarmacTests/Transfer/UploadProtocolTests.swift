import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResumableUpload
@testable import TarmacTransfer

/// tus 1.0.0 and the IETF's draft: what servers can do and what they refuse.
@Suite("Protocols of resumable uploads", .timeLimit(.minutes(5)))
struct UploadProtocolTests {
    private static let impatient = ResumeRule.automatic { $0.base = .zero }
    private let source = UploadSource.data(Data(noise(50_000)), name: "f.png")

    private func stub(_ server: StubUploads) -> StubTransport { StubTransport { try server.answer($0) } }
    private static func fields(_ pairs: [String: String]) -> HTTPFields {
        HTTPFields(pairs.compactMap { pair in HTTPField.Name(pair.key).map { HTTPField(name: $0, value: pair.value) } })
    }

    // MARK: What the server can do

    private static let able = [
        "Tus-Version": "1.0.0,0.2.2", "Tus-Extension": "creation, checksum", "Tus-Checksum-Algorithm": "md5,sha1", "Tus-Max-Size": "50000",
    ]

    static let abilities: [([String: String], TarmacError.Code?)] = [
        ([:], nil), (["Tus-Version": "0.2.2"], .uploadProtocolFailed), (["Tus-Extension": "checksum,termination"], .uploadProtocolFailed),
        (["Tus-Extension": "creation"], .uploadProtocolFailed), (["Tus-Checksum-Algorithm": "md5"], .uploadProtocolFailed),
        (["Tus-Max-Size": "49999"], .bodyTooLarge), (["Tus-Max-Size": "many"], .uploadProtocolFailed),
    ]

    @Test(arguments: abilities)
    func whatTheServerCannotDoIsSaidBeforeTheUploadIsMade(change: [String: String], code: TarmacError.Code?) async throws {
        let server = StubUploads(abilities: Self.fields(Self.able.merging(change) { $1 })), stub = self.stub(server)
        let upload = { _ = try await Client(stub).send(Upload(source, to: .post("/files"), by: .tus { $0.checksum = .sha1 })) }
        if let code {
            let error = await failure { try await upload() }
            #expect(error?.code == code)
            #expect(stub.requests.map(\.method) == [.options])
        } else {
            try await upload()
            #expect(stub.requests.map(\.method) == [.options, .post, .patch])
            #expect(stub.requests.first?.headers[UploadField.resumable] == nil)
        }
    }

    @Test func aServerWithoutAnAnswerToTheQuestionIsAskedToDoIt() async throws {
        for (settings, methods) in [
            (UploadProtocol.tus { $0.asksFirst = true }, [HTTPRequest.Method.options, .post, .patch]), (.tus, [.post, .patch]),
            (.tus { ($0.checksum, $0.asksFirst) = (.sha256, false) }, [.post, .patch]), (.ietf { $0.asksFirst = true }, [.options, .post, .patch]),
        ] {
            let stub = self.stub(StubUploads())
            _ = try await Client(stub).send(Upload(source, to: .post("/files"), by: settings))
            #expect(stub.requests.map(\.method) == methods)
        }
    }

    @Test(arguments: [("max-size=49999", TarmacError.Code.bodyTooLarge), ("min-size=50001", .uploadProtocolFailed)])
    func theLimitsOfTheDraftAreKnownBeforehand(limit: String, code: TarmacError.Code) async throws {
        let stub = self.stub(StubUploads(abilities: Self.fields(["Upload-Limit": limit])))
        let error = await failure { try await Client(stub).send(Upload(source, to: .post("/files"), by: .ietf { $0.asksFirst = true })) }
        #expect(error?.code == code)
        #expect(stub.requests.map(\.method) == [.options])
    }

    @Test func theLeastOfAnAppendIsObeyedToo() async throws {
        let stub = self.stub(StubUploads(fields: Self.fields(["Upload-Limit": "min-append-size=30000, max-append-size=40000"])))
        _ = try await Client(stub).send(Upload(source, to: .post("/files"), by: .ietf { $0.chunkSize = 1000 }))
        #expect(stub.requests.filter { $0.method == .patch }.map { $0.body.length } == [30_000, 20_000])
    }

    /// A limit that is told when it has been passed (§4.1.4 of the draft).
    @Test(arguments: [("max-append-size=20000", true), ("max-append-size=50000", false), ("max-size=20000", false), ("", false)])
    func whatIsTooMuchForOneRequestIsSentInMore(limit: String, goesOn: Bool) async throws {
        let server = StubUploads()
        let stub = StubTransport { request in
            guard request.method == .patch, request.body.length ?? 0 > 20_000 else { return try server.answer(request) }
            return .status(.contentTooLarge, headers: Self.fields(["Upload-Limit": limit]))
        }
        let upload = { _ = try await Client(stub) { $0.resume = Self.impatient }.send(Upload(source, to: .post("/files"), by: .ietf)) }
        if goesOn {
            try await upload()
            #expect(stub.requests.map(\.body.length) == [0, 50_000, 0, 20_000, 20_000, 10_000])
            #expect(server.uploads["/uploads/1"]?.bytes == noise(50_000))
        } else {
            #expect(await failure { try await upload() }?.status == .contentTooLarge)
            #expect(stub.requests.map(\.method) == [.post, .patch])
        }
    }

    /// RFC 9651: parameters say nothing here, and a value of another type makes its field count for nothing.
    static let items: [([String: String], UploadAnswer)] = [
        (
            ["Upload-Offset": "20000;at=\"noon\"", "Upload-Complete": "?0;a", "Upload-Length": " 7 "],
            UploadAnswer(offset: 20_000, isComplete: false, length: 7)
        ),
        (["Upload-Offset": "many", "Upload-Complete": "1", "Upload-Length": "-1"], UploadAnswer()),
        (["Upload-Offset": "2.0", "Upload-Complete": "?2", "Upload-Length": "9999999999999999"], UploadAnswer()),
        (["Upload-Limit": "max-size=9;x, other=\"a\", max-append-size=5"], UploadAnswer(maxSize: 9, maxAppendSize: 5)),
        (["Upload-Limit": "max-size=9, min-size=?1"], UploadAnswer()),
    ]

    @Test(arguments: items)
    func theFieldsOfTheDraftAreStructured(fields: [String: String], answer: UploadAnswer) throws {
        #expect(try UploadProtocol.ietf.wire.state(Self.fields(fields), now: .distantPast) == answer)
    }

    static let names: [(UploadProtocol, String?)] = [
        (.ietf, #"inline; filename="f.png""#), (.ietf { $0.metadata = [:] }, nil),
        (.ietf { $0.metadata = ["filename": "a b.txt"] }, #"inline; filename="a b.txt""#),
        (.ietf { $0.metadata = ["filename": "é\"\r\n.txt"] }, #"inline; filename="_____.txt"; filename*=UTF-8''%C3%A9%22%0D%0A.txt"#),
        (.ietf { $0.metadata = ["filename": "50%.txt"] }, #"inline; filename="50_.txt"; filename*=UTF-8''50%25.txt"#), (.tus, nil),
    ]

    @Test(arguments: names)
    func theNameOfTheFileIsToldAsTheDraftHasIt(settings: UploadProtocol, disposition: String?) async throws {
        let stub = self.stub(StubUploads())
        _ = try await Client(stub).send(Upload(source, to: .post("/files"), by: settings))
        #expect(stub.requests.map { $0.headers[.contentDisposition] } == [disposition, nil])
    }

    // MARK: What it refuses

    /// The status of the second request (append, or the question after a break), and what comes of it.
    static let statuses: [(Int, TarmacError.Code?, [HTTPRequest.Method])] = [
        (404, nil, [.post, .patch, .post, .patch]), (410, nil, [.post, .patch, .post, .patch]), (409, nil, [.post, .patch, .head, .patch]),
        (423, nil, [.post, .patch, .head, .patch]), (460, nil, [.post, .patch, .head, .patch]), (500, nil, [.post, .patch, .head, .patch]),
        (403, .unacceptableStatus, [.post, .patch]), (413, .unacceptableStatus, [.post, .patch]), (415, .unacceptableStatus, [.post, .patch]),
        (400, .unacceptableStatus, [.post, .patch]),
    ]

    @Test(arguments: [UploadProtocol.tus, .ietf], statuses)
    func eachStatusMeansWhatTheProtocolSays(settings: UploadProtocol, row: (status: Int, code: TarmacError.Code?, methods: [HTTPRequest.Method])) async throws {
        let server = StubUploads(), isFirst = Locked(true)
        let stub = StubTransport { request in
            let refuses =
                request.method == .patch
                && isFirst.withLock { first in
                    defer { first = false }
                    return first
                }
            return refuses ? .status(.init(code: row.status)) : try server.answer(request)
        }
        let client = Client(stub) { $0.resume = Self.impatient }
        if let code = row.code {
            let error = await failure { try await client.send(Upload(source, to: .post("/files"), by: settings)) }
            #expect(error?.code == code)
            #expect(error?.status?.code == row.status)
        } else {
            _ = try await client.send(Upload(source, to: .post("/files"), by: settings))
            #expect(server.uploads.values.contains { $0.bytes == noise(50_000) })
        }
        #expect(stub.requests.map(\.method) == row.methods)
    }

    @Test func anotherVersionOfTusIsNamed() async throws {
        let stub = StubTransport { _ in .status(.preconditionFailed, headers: Self.fields(["Tus-Version": "2.0.0"])) }
        for settings in [UploadProtocol.tus, .tus { $0.asksFirst = true }] {
            let error = await failure { try await Client(stub).send(Upload(source, to: .post("/files"), by: settings)) }
            #expect(error?.code == .uploadProtocolFailed)
            #expect(error?.reason.contains("2.0.0") == true)
        }
    }

    @Test func anUploadThatIsTooLargeIsRefusedWithTheServersStatus() async throws {
        let stub = StubTransport { _ in .status(.contentTooLarge) }
        let error = await failure { try await Client(stub).send(Upload(source, to: .post("/files"), by: .tus)) }
        #expect(error?.status == .contentTooLarge)
        #expect(stub.requests.count == 1)
    }

    // MARK: Problem types of the draft

    private static func problem(_ name: String, _ status: Int = 400, isComplete: Bool = false) -> TarmacError {
        var fields = Self.fields(["Content-Type": "application/problem+json"])
        if isComplete { fields[UploadField.complete] = "?1" }
        let body = Bytes(#"{"type":"https://iana.org/assignments/http-problem-types#\#(name)"}"#)
        return TarmacError(.unacceptableStatus, phase: .judging).with(response: ResponseSnapshot(status: .init(code: status), headers: fields, body: body))
    }

    @Test func problemsMeanWhatTheDraftSays() {
        let recovery = UploadRecovery(resumes: true), never = UploadRecovery(resumes: false)
        #expect(recovery.decide(.init(failure: Self.problem("mismatching-upload-offset", 409))) == .ask(isTransient: true))
        // Whether the answer to the whole got lost is for the server to say; the failure of the whole itself is one.
        #expect(recovery.decide(.init(failure: Self.problem("completed-upload", isComplete: true), isComplete: true)) == .ask(isTransient: true))
        #expect(recovery.decide(.init(failure: Self.problem("out-of-coffee", isComplete: true), isComplete: true)) == .fail)
        #expect(recovery.decide(.init(failure: Self.problem("inconsistent-upload-length"))) == .fail)
        #expect(recovery.decide(.init(failure: Self.problem("inconsistent-upload-length"), isRecalled: true)) == .beginAnew)
        #expect(recovery.decide(.init(failure: Self.problem("inconsistent-upload-length"), isRecalled: true, freshStarts: 1)) == .fail)
        #expect(recovery.decide(.init(failure: TarmacError(.connectionLost))) == .ask(isTransient: nil))
        #expect(never.decide(.init(failure: TarmacError(.connectionLost))) == .fail)
        #expect(recovery.decide(.init(failure: TarmacError(.connectionLost), hasPlace: false)) == .fail)
    }

    @Test func aCompletedUploadWhoseAnswerGotLostIsComplete() async throws {
        let server = StubUploads(), count = Locked(0)
        let stub = StubTransport { request in
            let answer = try server.answer(request)
            let isFirst =
                request.method == .patch
                && count.withLock { count in
                    count += 1
                    return count == 1
                }
            guard isFirst else { return answer }
            // A proxy sent the append twice; the second is what is answered.
            return .bytes(
                Bytes(#"{"type":"https://iana.org/assignments/http-problem-types#completed-upload"}"#), contentType: "application/problem+json",
                status: .badRequest)
        }
        _ = try await Client(stub).send(Upload(source, to: .post("/files"), by: .ietf))
        #expect(stub.requests.map(\.method) == [.post, .patch, .head])
    }
}
