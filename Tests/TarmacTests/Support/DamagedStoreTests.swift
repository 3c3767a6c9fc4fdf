import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacBackground
import TarmacCache
import TarmacCookies
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// Files that their store cannot read: each is moved aside, observers hear of it once, and the store goes on with a new file.
@Suite("Damaged files of stores", .timeLimit(.minutes(5)))
struct DamagedStoreTests {
    enum Damage: String, CaseIterable, Sendable {
        case randomBytes, null, list, wrongVersion, empty, large, half

        var content: Data {
            switch self {
            case .randomBytes: Data(noise(4_000))
            case .null: Data("null".utf8)
            case .list: Data("[1]".utf8)
            case .wrongVersion: Data(#"{"principals":{},"version":99}"#.utf8)
            case .empty: Data()
            case .large: Data(repeating: 0x20, count: 30 << 20)
            case .half: Data(#"{"principals":{"p":[{"cre"#.utf8)
            }
        }
    }

    private static let service = Service("s", host: "https://s.example")

    /// Writes the content into the file, which has a mode of its own.
    private func damage(_ path: String, _ damage: Damage) throws {
        try #require(FileManager.default.createFile(atPath: path, contents: damage.content, attributes: [.posixPermissions: 0o600]))
    }

    /// The damaged files in a folder: one at most, which is no larger than the store's limit.
    private func checkAside(_ folder: String, limit: Int) throws {
        let asides = names(folder).filter { $0.hasSuffix(".damaged") }
        #expect(asides.count == 1, "\(names(folder))")
        for name in asides {
            let status = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            #expect(status[.size] as? Int ?? .max <= limit)
            #expect(status[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test(arguments: Damage.allCases) func aCookieJarGoesOn(_ damage: Damage) async throws {
        try await withFolder { folder in
            let path = folder + "/jar.json"
            for _ in 0..<2 {
                try self.damage(path, damage)
                let jar = CookieJar(store: FileCookieStore(path: path)), recorder = EventRecorder()
                let stub = StubTransport { _ in .json("{}", headers: [.setCookie: "a=1; Max-Age=999999"]) }
                let client = Client(transport: .stub(stub), services: [Self.service]) {
                    $0.cookies = .jar(jar)
                    $0.observers = [recorder]
                }
                for _ in 0..<3 { try await client.get("/") }
                #expect(stub.requests.map { $0.headers[.cookie] } == [nil, "a=1", "a=1"])
                #expect(recorder.names.count { $0 == "warning" } == 1, "\(recorder.names)")
                try await jar.flush()
                #expect(try FileCookieStore(path: path).load().values.flatMap { $0 }.map(\.name) == ["a"])
                try checkAside(folder, limit: 16 << 20)
                await client.shutdown()
            }
        }
    }

    @Test(arguments: Damage.allCases) func aCookieFileThatIsDamagedLaterIsMovedAside(_ damage: Damage) async throws {
        try await withFolder { folder in
            let path = folder + "/jar.json", jar = CookieJar(store: FileCookieStore(path: path))
            let stub = StubTransport { .json("{}", headers: [.setCookie: "\($0.url.path.dropFirst())=1; Max-Age=999999"]) }
            let recorder = EventRecorder()
            let client = Client(transport: .stub(stub), services: [Self.service]) { ($0.cookies, $0.observers) = (.jar(jar), [recorder]) }
            try await client.get("/a")
            try await jar.flush()
            try FileManager.default.removeItem(atPath: path)
            try self.damage(path, damage)
            // The jar looks at the file before each call, in case that another process has changed it.
            try await client.get("/b")
            #expect(recorder.events.contains { if case .warning(let text) = $0.kind { text.hasPrefix("cookies") } else { false } })
            try await jar.flush()
            try await client.get("/c")
            #expect(stub.requests.last?.headers[.cookie]?.contains("a=1") == true)
            try await jar.flush()
            #expect(try Set(FileCookieStore(path: path).load().values.joined().map(\.name)).isSuperset(of: ["a", "b"]))
            try checkAside(folder, limit: 16 << 20)
            await client.shutdown()
        }
    }

    private struct Tokens: Authenticator {
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
            guard let refreshToken = token?.refreshToken else { throw TarmacError(.loggedOut) }
            return AccessToken("new", refreshToken: refreshToken + "+")
        }
    }

    private func client(_ folder: String, _ recorder: EventRecorder) -> Client {
        let stub = StubTransport { $0.headers[.authorization] == "Bearer new" ? .json("{}") : .status(.unauthorized) }
        return Client(transport: .stub(stub), services: [Self.service]) {
            $0.authenticator = Authentication(Tokens(), store: FileTokenStore(folder: folder))
            $0.observers = [recorder]
        }
    }

    private static let key = TokenKey(service: "s", environment: "production")

    /// The first call tells that the login was lost, the next ones that there is none, so that the app asks for it.
    @Test(arguments: Damage.allCases) func aDamagedTokenIsReportedAndThenThereIsNoLogin(_ damage: Damage) async throws {
        try await withFolder { folder in
            let store = FileTokenStore(folder: folder), recorder = EventRecorder(), client = client(folder, recorder)
            try store.save(AccessToken("old", refreshToken: "r"), for: Self.key)
            let path = "\(folder)/\(Self.key.text).token"
            try FileManager.default.removeItem(atPath: path)
            try self.damage(path, damage)
            let first = await #expect(throws: TarmacError.self) { try await client.get("/") }
            #expect(first?.code == .tokenStoreFailed)
            #expect(recorder.names.contains("tokenStoreFailed"))
            let second = await #expect(throws: TarmacError.self) { try await client.get("/") }
            #expect(second?.code == .loggedOut)
            try checkAside(folder, limit: 64 << 10)
            try await client.logIn(AccessToken("new", refreshToken: "r"))
            try await client.get("/")
            #expect(try store.token(for: Self.key)?.value == "new")
            try await client.logOut()
            #expect(names(folder).filter { $0.hasSuffix(".damaged") } == [])
            await client.shutdown()
        }
    }

    /// A client that has the token keeps the login. It does not write the token again, because the file may have had a later login.
    @Test(arguments: Damage.allCases) func aLoginOutlivesTheDamageOfItsFile(_ damage: Damage) async throws {
        try await withFolder { folder in
            let store = FileTokenStore(folder: folder), recorder = EventRecorder(), client = client(folder, recorder)
            try await client.logIn(AccessToken("old", refreshToken: "r"))
            let path = "\(folder)/\(Self.key.text).token"
            try FileManager.default.removeItem(atPath: path)
            try self.damage(path, damage)
            // The server refuses the old token, so the client reads the store again and refreshes.
            for _ in 0..<3 { try await client.get("/") }
            #expect(recorder.names.contains("tokenStoreFailed"))
            #expect(try store.token(for: Self.key) == nil)
            try await client.logIn(AccessToken("new", refreshToken: "s"))
            #expect(try store.token(for: Self.key)?.refreshToken == "s")
            try checkAside(folder, limit: 64 << 10)
            await client.shutdown()
        }
    }

    /// Ann is still logged in here; Bob has logged in elsewhere, and his file is damaged.
    @Test(arguments: Damage.allCases) func aDamagedTokenDoesNotBringTheUserBeforeBack(_ damage: Damage) async throws {
        try await withFolder { folder in
            let store = FileTokenStore(folder: folder), client = client(folder, EventRecorder())
            try store.save(AccessToken("ann", refreshToken: "r", account: "ann"), for: Self.key)
            _ = try? await client.cookieScope(for: InlineEndpoint.get("/"))
            try store.save(AccessToken("bob", refreshToken: "r", account: "bob"), for: Self.key)
            let path = "\(folder)/\(Self.key.text).token"
            try FileManager.default.removeItem(atPath: path)
            try self.damage(path, damage)
            for _ in 0..<2 { try await client.get("/") }
            #expect(try store.token(for: Self.key) == nil)
            await client.shutdown()
        }
    }

    @Test(arguments: Damage.allCases) func aDownloadStartsFromTheBeginning(_ damage: Damage) async throws {
        let bytes = noise(5000), file = StubFile(bytes), recorder = EventRecorder()
        file.breakOff(after: [3000, 0])
        let stub = StubTransport { file.answer($0) }
        try await withFolder { folder in
            let ledger = TransferLedger.folder("\(folder)/ledger")
            let client = Client(transport: .stub(stub), services: [Self.service]) {
                $0.transferLedger = ledger
                $0.resume = .automatic { $0.maxBarrenAttempts = 0 }
                $0.observers = [recorder]
            }
            await #expect(throws: TarmacError.self) { try await client.send(Download(.get("/f"), to: "\(folder)/f")) }
            let record = try #require(names("\(folder)/ledger").first.map { "\(folder)/ledger/\($0)" })
            try FileManager.default.removeItem(atPath: record)
            try self.damage(record, damage)
            try await client.send(Download(.get("/f"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == bytes)
            #expect(stub.requests.last?.headers[.range] == nil)
            #expect(recorder.names.count { $0 == "warning" } == 1, "\(recorder.names)")
            try checkAside("\(folder)/ledger", limit: 1 << 20)
            #expect(try await ledger.unfinished() == [])
            await client.shutdown()
        }
    }

    /// A store of replaceable answers removes its damaged files.
    @Test(arguments: Damage.allCases) func aCacheFileIsRemovedAndReported(_ damage: Damage) async throws {
        try await withFolder { folder in
            let date = Date(timeIntervalSince1970: 0), key = CacheKey(service: "s", environment: "production", url: "https://s.example/")
            let entry = CacheEntry(key: key, status: .ok, headers: [:], requestDate: date, responseDate: date, bodyLength: 4)
            _ = try await FileCacheStore(folder: "\(folder)/c").publish(entry, body: Bytes("body"))
            let files = FileManager.default.enumerator(atPath: "\(folder)/c")?.compactMap { $0 as? String } ?? []
            let file = try #require(files.first { $0.hasSuffix(".answer") }.map { "\(folder)/c/\($0)" })
            try self.damage(file, damage)
            let store = try FileCacheStore(folder: "\(folder)/c")
            let lookup = try await store.lookup(key)
            #expect(lookup.records.isEmpty && lookup.wasCorrupt)
            #expect(store.takeNotices().count == 1)
            #expect(!FileManager.default.fileExists(atPath: file))
            _ = try await store.publish(entry, body: Bytes("body"))
            #expect(try await store.lookup(key).records.count == 1)
        }
    }

    /// The download begins again. The upload may have been sent, so only one under a key is repeated by itself.
    @Test(arguments: Damage.allCases, [false, true]) func aBackgroundTransferGoesOnWithoutTheHeadOfItsResponse(_ damage: Damage, isUpload: Bool) async throws {
        try await withFolder { folder in
            let key = String(repeating: "a", count: 64), policy = BackgroundPolicy(), request = Request(.get, try HTTPURL("https://s.example/f"))
            let label = try #require(BackgroundLabel(description: "tarmac-1\(isUpload ? "-upload" : "") \(key) "))
            func start(_ store: BackgroundResultStore, isRepeatable: Bool) -> BackgroundPolicy.Start {
                guard isUpload else { return policy.start(label, tasks: [], hasCome: store.has(label), resumeData: nil) }
                var facts = BackgroundPolicy.UploadFacts()
                (facts.hasCome, facts.isSent, facts.isRepeatable) = (store.has(label), store.isSent(label), isRepeatable)
                return policy.start(label, tasks: [], upload: facts)
            }
            for _ in 0..<2 {
                let store = try BackgroundResultStore(folder: folder + "/store")
                try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/body"))
                try store.put(label, status: .ok, headers: [:], isDecoded: false, body: folder + "/body")
                #expect(start(store, isRepeatable: false) == .take)
                try self.damage("\(folder)/store/\(label.fileName).head", damage)
                #expect(start(store, isRepeatable: false) == (isUpload ? .lost : .begin))
                // Another process, after a relaunch.
                let again = try BackgroundResultStore(folder: folder + "/store")
                #expect(start(again, isRepeatable: false) == (isUpload ? .lost : .begin))
                #expect(start(again, isRepeatable: true) == (isUpload ? .prepare : .begin))
                try checkAside(folder + "/store", limit: 1 << 20)
                try Data("y".utf8).write(to: URL(fileURLWithPath: folder + "/body"))
                try again.put(label, status: .created, headers: [:], isDecoded: false, body: folder + "/body")
                #expect(start(again, isRepeatable: false) == .take && !again.isSent(label))
                #expect(try again.landed(label, request).status == .created)
            }
        }
    }

    /// Another user's file is refused and stays where it is.
    @Test func aFileThatOthersMayReadStays() throws {
        let folder = NSTemporaryDirectory() + "damaged-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try #require(FileManager.default.createFile(atPath: folder + "/jar", contents: Data("null".utf8), attributes: [.posixPermissions: 0o644]))
        #expect(throws: TarmacError.self) { try FileCookieStore(path: folder + "/jar").load() }
        #expect(names(folder) == ["jar"])
    }
}
