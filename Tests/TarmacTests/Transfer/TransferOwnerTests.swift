import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResumableUpload
@testable import TarmacTransfer

/// A record in a ledger is of one user, and of one upload.
@Suite("The owner of a transfer in a ledger", .timeLimit(.minutes(5)))
struct TransferOwnerTests {
    private struct Jar: CookieKeeper {
        let cookies = Watched<String?>(nil)
        /// Whether it keeps the cookie of each response.
        var keeps = false
        func cookieField(for url: HTTPURL, scope: CookieScope, at date: Date) -> String? { cookies.value }
        func keep(_ fields: [String], from url: HTTPURL, scope: CookieScope, at date: Date) {
            if keeps, let field = fields.last { cookies.update { $0 = String(field.prefix { $0 != ";" }) } }
        }
    }

    private let bytes = noise(50_000)
    private let dated: HTTPFields = [.lastModified: "Tue, 01 Dec 2026 00:00:00 GMT", .date: "Wed, 02 Dec 2026 00:00:00 GMT"]

    /// A download goes on within its call, and ends when a response brings nothing.
    private static let once = ResumeRule.automatic { ($0.base, $0.maxBarrenAttempts) = (.zero, 0) }

    private func client(_ stub: StubTransport, _ ledger: TransferLedger, _ jar: Jar? = nil, resume: ResumeRule = .never) -> Client {
        Client(stub) {
            ($0.transferLedger, $0.resume) = (ledger, resume)
            if let jar { $0.cookies = .keeper(jar) }
        }
    }

    private func upload(_ settings: UploadProtocol) -> Upload<UploadedFile> {
        Upload(.data(Data(bytes), name: "f.png"), to: .post("/files"), by: settings)
    }

    // MARK: Users

    /// The second call is of another user, or of the same.
    @Test(arguments: ResumableUploadTests.protocols, ["session=ann", "session=bob", nil])
    func anUploadIsOfTheUserWhomTheCookiesTell(settings: UploadProtocol, second: String?) async throws {
        let server = StubUploads(), ledger = TransferLedger(MemoryTransferStore()), jar = Jar()
        server.breakOff(after: [20_000])
        let stub = StubTransport { try server.answer($0) }, client = client(stub, ledger, jar)
        jar.cookies.update { $0 = "session=ann" }
        _ = await failure { try await client.send(upload(settings)) }
        jar.cookies.update { $0 = second }
        let landed = try await client.send(upload(settings))
        let isSame = second == "session=ann"
        #expect(stub.requests.map(\.method) == [.post, .patch, isSame ? .head : .post, .patch])
        #expect(landed.url.path == (isSame ? "/uploads/1" : "/uploads/2"))
        #expect(server.uploads[landed.url.path]?.bytes == bytes)
        #expect(try await ledger.unfinished() == [])
    }

    /// A name tells the user, whatever the cookies are.
    @Test func changedCookiesOfANamedUserDoNotCount() async throws {
        let server = StubUploads(), ledger = TransferLedger(MemoryTransferStore()), jar = Jar()
        server.breakOff(after: [20_000])
        let stub = StubTransport { try server.answer($0) }, client = client(stub, ledger, jar)
        client.options.principal = "ann"
        for cookies in ["balancer=1", "balancer=2"] {
            jar.cookies.update { $0 = cookies }
            if cookies == "balancer=1" { _ = await failure { try await client.send(upload(.tus)) } } else { _ = try await client.send(upload(.tus)) }
        }
        #expect(stub.requests.map(\.method) == [.post, .patch, .head, .patch])
    }

    /// Two users have files of one length and one date.
    @Test(arguments: ["session=ann", "session=bob", nil])
    func noDownloadIsOfTwoUsers(second: String?) async throws {
        let mine = noise(5000), others = noise(5000, seed: 8), jar = Jar(), isSame = second == "session=ann"
        let file = StubFile(mine, tag: nil, fields: dated), stub = StubTransport { file.answer($0) }
        file.breakOff(after: [3000, 0])
        try await withFolder { folder in
            let ledger = TransferLedger.folder("\(folder)/ledger"), client = client(stub, ledger, jar, resume: Self.once)
            jar.cookies.update { $0 = "session=ann" }
            _ = await failure { try await client.send(Download(.get("/f"), to: "\(folder)/f")) }
            #expect(names(folder).count == 2)
            jar.cookies.update { $0 = second }
            if !isSame { file.change { $0.bytes = others } }
            try await client.send(Download(.get("/f"), to: "\(folder)/f"))
            #expect(stub.requests.map { $0.headers[.range] } == [nil, "bytes=3000-", isSame ? "bytes=3000-" : nil])
            #expect(content("\(folder)/f") == (isSame ? mine : others))
            #expect(names(folder) == ["f", "ledger"] && names("\(folder)/ledger") == [])
        }
    }

    /// A header of the client names the user.
    @Test func aUserWhomTheClientNamesCounts() async throws {
        let server = StubUploads(), ledger = TransferLedger(MemoryTransferStore())
        server.breakOff(after: [20_000])
        let stub = StubTransport { try server.answer($0) }, client = client(stub, ledger)
        client.options.headers["X-User-Id"] = "ann"
        _ = await failure { try await client.send(upload(.tus)) }
        client.options.headers["X-User-Id"] = "bob"
        #expect(try await client.send(upload(.tus)).url.path == "/uploads/2")
    }

    /// A header of the client has another value after each launch.
    @Test(arguments: [("X-Session-Id", "ann"), ("X-Launch-Id", "ann"), ("X-Launch-Id", "")])
    func anotherLaunchIsOfTheSameUser(header: String, principal: String) async throws {
        let server = StubUploads(), ledger = TransferLedger(MemoryTransferStore())
        server.breakOff(after: [20_000])
        let stub = StubTransport { try server.answer($0) }, client = client(stub, ledger)
        client.options.principal = principal
        client.options.headers[header] = "1"
        _ = await failure { try await client.send(upload(.tus)) }
        client.options.headers[header] = "2"
        _ = try await client.send(upload(.tus))
        #expect(stub.requests.map(\.method) == [.post, .patch, .head, .patch])
    }

    /// Each response sets a cookie: a session, or the cookie of a balancer. Another call may come between.
    static let changes: [(name: String, isBetween: Bool, isSame: Bool)] = [("session", false, true), ("session", true, false), ("AWSALB", true, true)]

    @Test(arguments: ResumableUploadTests.protocols, changes.indices)
    func cookiesThatTheServerChangesAreOfTheSameUser(settings: UploadProtocol, change: Int) async throws {
        let (name, isBetween, isSame) = Self.changes[change]
        let server = StubUploads(), ledger = TransferLedger(MemoryTransferStore()), count = Locked(0)
        let stub = StubTransport { request in
            var response: Response = request.url.path == "/feed" ? .status(.ok) : try server.answer(request)
            let number = count.withLock { count in
                count += 1
                return count
            }
            response.headers[.setCookie] = "\(name)=\(number); Path=/"
            return response
        }
        let client = client(stub, ledger, Jar(keeps: true))
        try await client.post("/feed")
        server.breakOff(after: [20_000])
        _ = await failure { try await client.send(upload(settings)) }
        if isBetween { try await client.post("/feed") }
        #expect(try await client.send(upload(settings)).url.path == (isSame ? "/uploads/1" : "/uploads/2"))
        #expect(try await ledger.unfinished() == [])
    }

    /// Its end was sent with cookies that are others now.
    @Test(arguments: ResumableUploadTests.protocols)
    func anUploadThatMayBeCompleteIsNotBegunAgainForOtherCookies(settings: UploadProtocol) async throws {
        let server = StubUploads(), ledger = TransferLedger(MemoryTransferStore()), jar = Jar()
        server.breakOff(after: [60_000])
        let stub = StubTransport { try server.answer($0) }, client = client(stub, ledger, jar)
        jar.cookies.update { $0 = "session=1" }
        _ = await failure { try await client.send(upload(settings)) }
        jar.cookies.update { $0 = "session=2" }
        let error = await failure { try await client.send(upload(settings)) }
        #expect(error?.reason.contains("may be complete") == true && error?.reach == .mayHaveActed)
        #expect(stub.requests.map(\.method) == [.post, .patch])
        try await ledger.forget(try #require(try await ledger.unfinished().first))
        #expect(try await client.send(upload(settings)).url.path == "/uploads/2")
    }

    /// A response of the call has changed the cookies meanwhile.
    @Test func aPausedDownloadContinuesWithOtherCookies() async throws {
        let file = StubFile(bytes), jar = Jar(), gate = Watched(false)
        jar.cookies.update { $0 = "balancer=1" }
        file.breakOff(after: [3000])
        let stub = StubTransport { request in
            if request.headers.contains(.range) { try await gate.wait { $0 } }
            return file.answer(request)
        }
        for isKept in [true, false] {
            try await withFolder { folder in
                let client = Client(stub) {
                    if isKept { $0.transferLedger = .folder("\(folder)/ledger") }
                    $0.cookies = .keeper(jar)
                }
                let before = stub.requests.count, transfer = Started(Download(.get("/f"), to: "\(folder)/f"), on: client)
                try await stub.received(count: before + 2)
                transfer.pause()
                try await stub.isIdle()
                jar.cookies.update { $0 = "balancer=2" }
                gate.update { $0 = true }
                transfer.resume()
                _ = try await transfer.value
                #expect(content("\(folder)/f") == bytes)
                #expect(stub.requests.dropFirst(before).map { $0.headers[.range] } == [nil, "bytes=3000-", "bytes=3000-"])
            }
            gate.update { $0 = false }
            file.breakOff(after: [3000])
        }
    }

    // MARK: Uploads

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var isSame = false
        var settings: [UploadProtocol] = ResumableUploadTests.protocols
        var metadata: String?
        var header: (name: String, value: String)?
        var testDescription: String { name }
    }

    static let rows = [
        Row(name: "the same", isSame: true),
        Row(name: "other metadata", settings: [.tus], metadata: "friend.png"),
        Row(name: "another file name", settings: [.ietf], metadata: "friend.png"),
        Row(name: "another album", header: ("X-Album", "friends")),
        Row(name: "another type", header: ("Content-Type", "image/webp")),
        Row(name: "another request ID", isSame: true, header: ("X-Request-ID", "2")),
        Row(name: "another trace", isSame: true, header: ("Sentry-Trace", "2")),
        Row(name: "another nonce", isSame: true, header: ("X-Nonce", "2")),
        Row(name: "another language", isSame: true, header: ("Accept-Language", "zh")),
        Row(name: "another request", isSame: true, header: ("Request-Id", "2")),
        Row(name: "another attempt", isSame: true, header: ("X-Upload-Attempt", "2")),
        Row(name: "another retry", isSame: true, header: ("X-Retry-Count", "2")),
        Row(name: "another time", isSame: true, header: ("X-Client-Time", "2")),
        Row(name: "another transaction", isSame: true, header: ("newrelic", "2")),
    ]

    @Test(arguments: rows)
    func theSameFileWithOtherFieldsIsAnotherUpload(row: Row) async throws {
        for settings in row.settings {
            let server = StubUploads(), ledger = TransferLedger(MemoryTransferStore())
            server.breakOff(after: [20_000])
            let stub = StubTransport { try server.answer($0) }, client = client(stub, ledger)
            _ = await failure { try await client.send(upload(settings)) { if let header = row.header { $0.headers[header.name] = "image/png" } } }
            var other = settings
            if let name = row.metadata { other.metadata = ["filename": name] }
            let landed = try await client.send(upload(other)) { if let header = row.header { $0.headers[header.name] = header.value } }
            #expect(landed.url.path == (row.isSame ? "/uploads/1" : "/uploads/2"))
            #expect(server.uploads[landed.url.path]?.bytes == bytes)
            // The first upload can still continue.
            #expect(try await ledger.unfinished().count == (row.isSame ? 0 : 1))
        }
    }

    /// Another upload under the file's name comes between: the same file with other metadata, or another file.
    @Test(arguments: [true, false])
    func anUploadThatMayBeCompleteIsRememberedBesideAnother(isSameFile: Bool) async throws {
        let server = StubUploads(), ledger = TransferLedger(MemoryTransferStore())
        server.breakOff(after: [60_000])
        let stub = StubTransport { $0.method == .head ? .status(.notFound) : try server.answer($0) }, client = client(stub, ledger)
        _ = await failure { try await client.send(upload(.tus)) }
        var other = UploadProtocol.tus
        if isSameFile { other.metadata = ["to": "friend"] }
        let content = Data(isSameFile ? bytes : noise(50_000, seed: 8))
        _ = try await client.send(Upload(.data(content, name: "f.png"), to: .post("/files"), by: other))
        let error = await failure { try await client.send(upload(.tus)) }
        #expect(error?.reason.contains("may be complete") == true)
        #expect(stub.requests.map(\.method) == [.post, .patch, .post, .patch, .head])
    }

    /// Only a record that says whose it is continues.
    @Test func aRecordOfAnEarlierVersionStartsFromTheBeginning() async throws {
        let server = StubUploads(), file = StubFile(bytes)
        server.breakOff(after: [20_000])
        file.breakOff(after: [20_000, 0])
        let stub = StubTransport { request in request.url.path == "/f" ? file.answer(request) : try server.answer(request) }
        try await withFolder { folder in
            let ledger = TransferLedger.folder("\(folder)/ledger"), client = client(stub, ledger, resume: Self.once)
            _ = await failure { try await self.client(stub, ledger).send(upload(.tus)) }
            _ = await failure { try await client.send(Download(.get("/f"), to: "\(folder)/f")) }
            for var record in try await ledger.unfinished() {
                #expect(record.subject != nil)
                record.subject = nil
                try await ledger.save(record)
            }
            #expect(try await client.send(upload(.tus)).url.path == "/uploads/2")
            try await client.send(Download(.get("/f"), to: "\(folder)/f"))
            #expect(stub.requests.last?.headers[.range] == nil)
            #expect(names(folder) == ["f", "ledger"] && names("\(folder)/ledger") == [])
        }
    }
}
