import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacJSON
import TarmacStreams
import TarmacTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private enum Station {
    /// A setting that an app adds.
    static let setting = Setting("station", default: "none") {
        $0.stage(at: Seat(.preparing)) { value, scope in
            Intercepting { request, chain in
                var request = request
                request.headers.append(HTTPField(name: .from, value: value))
                return try await chain.proceed(request)
            }
        }
    }
}

extension Options {
    fileprivate var station: String? {
        get { self[Station.setting] }
        set { self[Station.setting] = newValue }
    }
}

@MainActor
@Suite("QSPNetworking: what a request may say for itself", .timeLimit(.minutes(5)))
struct QSPLayerTests {
    // QSP-23, QSP-28, YTK-38: the network's configuration, those of errors and of loading: the request's own wins, for this request alone.
    @Test func everyConfigurationMayBeTheRequestsOwn() async throws {
        let (stub, shared, own) = (StubTransport { _ in .text("{}", status: .ok) }, Board(), Board())
        let client = Client(stub) {
            $0.headers["X-App"] = "client"
            $0.presenter = shared
        }
        await #expect(throws: TarmacError.self) { try await client.get("/", as: JSON.self) }
        #expect(shared.lines.count == 3)
        _ = try await client.get("/", as: JSON.self) {
            $0.acceptableContentTypes = .any
            $0.headers["X-App"] = "call"
            $0.presenter = own
        }
        #expect(own.lines == ["began", "ended"] && shared.lines.count == 3)
        // The prompt of an error is the request's own too.
        await #expect(throws: TarmacError.self) { try await client.get("/", as: JSON.self) { $0.presenter = own } }
        #expect(own.lines.count == 5 && own.lines.last?.hasPrefix("data: ") == true && shared.lines.count == 3)
        #expect(stub.requests.map { $0[field: "X-App"] } == ["client", "call", "client"])
        // Whether loading is shown is the request's own as well, and an endpoint that is sent has a layer as the others have.
        await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 7)) { $0.showsLoading = false } }
        #expect(shared.lines.count == 4 && shared.lines.last?.hasPrefix("data: ") == true)
    }

    // QSP-23, BQ-11, BQ-B9: the time limit of the request ends it, where the manager has another.
    @Test(arguments: [(.seconds(3), 3), (nil, 15)] as [(TimeLimit?, Int)])
    func theLimitOfTheRequestWins(limit: TimeLimit?, seconds: Int) async throws {
        let (stub, time) = (StubTransport.user, ManualTime())
        let client = Client(stub, time: time) { ($0.timeout, $0.connectTimeout, $0.idleTimeout) = (.seconds(15), .unlimited, .unlimited) }
        stub.hold()
        let call = Task { try await client.get("/") { $0.timeout = limit } }
        try await stub.received()
        try await time.hasSleepers()
        #expect(time.nextDeadline == .seconds(seconds))
        time.advance(by: .seconds(120))
        let error = await #expect(throws: TarmacError.self) { try await call.value }
        #expect(error?.code == .timeout)
    }

    // QSP-23: pins, trust and the check of the host name belong to a connection: a request that needs others names another service.
    @Test func aRequestMayTakeAnotherConnection() async throws {
        let made = Locked<[ConnectionSettings]>([])
        let factory = TransportFactory(name: "counted") { settings in
            made.withLock { $0.append(settings) }
            return StubTransport.user
        }
        let pinned = ConnectionSettings {
            $0.pins = [PinSet("s.example", ["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "sha256/BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA="])]
            $0.trust = .insecureAcceptAnyCertificate
            $0.insecurelySkipsHostName = true
        }
        let (usual, strict) = (Service("s", host: "https://s.example"), Service("strict", host: "https://s.example", connection: pinned))
        let client = Client(transport: factory, services: [usual, strict])
        try await client.get("/")
        try await client[strict].get("/")
        #expect(made.withLock { $0 } == [ConnectionSettings(), pinned])
    }

    // QSP-15: a call always names its method; POST and GET place the same parameters differently.
    @Test func theMethodIsAlwaysNamed() async throws {
        let stub = StubTransport.user
        let client = Client(stub)
        try await client.post("/a", ["q": "cup"])
        try await client.get("/a", ["q": "cup"])
        #expect(stub.requests.map(\.method) == [.post, .get])
        #expect(stub.requests.map(\.url.query) == [nil, "q=cup"])
        #expect(stub.requests.map(\.text) == [#"{"q":"cup"}"#, ""])
    }

    // QSP-17, QSP-18: a screen that leaves takes its call along, and a call that shall outlive it belongs to another object.
    @Test func onlyTheCallsOfTheScreenThatLeavesEnd() async throws {
        let (stub, app) = (StubTransport.user, Screen())
        let client = Client(stub)
        stub.hold()
        var screen: Screen? = Screen()
        let bound = client.start(GetUser(id: 1), owner: screen!) { $0.userLanded($1) }
        let free = client.start(GetUser(id: 2), owner: app) { $0.userLanded($1) }
        try await stub.received(count: 2)
        screen = nil
        await eventually { bound.hasLanded }
        #expect(stub.inFlight == 1 && !free.hasLanded)
        stub.release()
        await eventually { !app.landings.isEmpty }
        #expect(try app.landings.first?.get().id == 7)
    }

    // QSP-25, XF-4, XF-11: the completion has a value or an error, and never both or neither; the raw answer comes with the error.
    @Test func theCompletionHasAValueOrAnError() async throws {
        let stub = StubTransport { request in request.url.path.hasSuffix("/7") ? .json(#"{"id":7,"name":"ann"}"#) : .json("{}", status: .notFound) }
        let (client, screen) = (Client(stub), Screen())
        for id in [7, 8] {
            let handle = client.start(GetUser(id: id), owner: screen) { $0.userLanded($1) }
            await eventually { handle.hasLanded }
        }
        #expect(screen.landings.count == 2)
        #expect(try screen.landings[0].get() == User(id: 7, name: "ann"))
        let error = try #require(screen.landings[1].error as? TarmacError)
        #expect(error.code == .unacceptableStatus && error.status == .notFound && error.response?.body == Bytes("{}"))
    }

    // QSP-26, QSP-27: one expression takes path, parameters, owner, settings and completion, on the one client that the app holds.
    @Test func oneExpressionSaysAllOfACall() async throws {
        final class Host: Sendable {}
        @MainActor final class Shown: Presenter {
            var hosts: [ObjectIdentifier?] = []
            nonisolated init() {}
            func loadingBegan(_ loading: Loading) { hosts.append(loading.host.map { ObjectIdentifier($0) }) }
            func loadingEnded(_ loading: Loading) { hosts.append(loading.host.map { ObjectIdentifier($0) }) }
            func present(_ error: PresentedError) {}
        }
        enum App { static let stub = StubTransport.user, shown = Shown(), client = Client(stub) { $0.presenter = shown } }
        let (screen, host) = (Screen(), Host())
        let result: Result<User, any Error> = await landing { landed in
            App.client.start(.post("/users/{team}", ["team": "red", "name": "ann"], as: User.self), owner: screen) {
                $0.presentationHost = .object(host)
            } landed: { owner, result in
                #expect(owner === screen)
                landed(result)
            }
        }
        #expect(try result.get().id == 7)
        #expect(App.shown.hosts == [ObjectIdentifier(host), ObjectIdentifier(host)])
        _ = try await App.client.send(GetUser(id: 7))
        #expect(App.stub.requests.map(\.url.string) == ["https://s.example/v1/users/red", "https://s.example/v1/users/7"])
        #expect(App.stub.requests.first?.text == #"{"name":"ann"}"#)
        #expect(App.stub.requests.map(\.method) == [.post, .get])
        // Without a host of its own a call is shown on its owner.
        #expect(!App.shown.hosts.contains(ObjectIdentifier(screen)))
        let plain: Result<User, any Error> = await landing { landed in App.client.start(GetUser(id: 7), owner: screen) { landed($1) } }
        #expect(try plain.get().id == 7)
        #expect(App.shown.hosts.filter { $0 == ObjectIdentifier(screen) }.count == 2)
    }

    // QSP-37, QSP-B11: for each landing the URL, the parameters, the files and the answer, with secrets masked.
    @Test func everyLandingIsLoggedWithParametersFilesAndAnswer() async throws {
        let (log, events) = (Locked<[String]>([]), Locked<[String]>([]))
        let stub = StubTransport { request in
            switch request.url.path {
            // The secret of the call comes back in an error, and under a name that hides nothing.
            case "/v1/down": throw TarmacError(.connectionRefused, phase: .connecting, "refused hunter2")
            case "/v1/busy": .json(#"{"message":"full","echo":"hunter2","token":"hunter2"}"#, status: .serviceUnavailable)
            case "/v1/rows": .chunks(["[1,", "2]"])
            case "/v1/page": .bytes(Bytes("sold out"), contentType: "text/plain; charset=utf-8")
            case "/v1/feed": .bytes(Bytes("<a/>"), contentType: "application/xml")
            default: .json(#"{"id":7,"token":"hunter2"}"#)
            }
        }
        let client = Client(stub) {
            $0.interceptors = [MessageLogger { line in log.withLock { $0.append(line) } }]
            $0.observers = [ConsoleLogger(.everything) { line in events.withLock { $0.append(line) } }]
        }
        try await client.post("/users", ["name": "ann", "password": "hunter2"])
        let photo = try Body.multipart([.field("title", "Sunrise"), .data("photo", Data("jpeg".utf8), fileName: "1.jpg")])
        try await client.send(Upload(photo, to: InlineEndpoint<Void>.post("/photos")))
        await #expect(throws: TarmacError.self) { try await client.get("/busy", ["page": 2, "token": "hunter2"]) }
        await #expect(throws: TarmacError.self) { try await client.get("/down", ["token": "hunter2"]) }
        try await client.post("/users", ["name": "ann", "password": "hunter2"]) { $0.bodyFormat = .form }
        let folder = try TemporaryFolder()
        folder.write("jpeg", to: "1.jpg")
        try await client.send(Upload(.file(folder.path("1.jpg")), to: InlineEndpoint<Void>.post("/photos")))
        let lines = log.withLock { $0 }
        #expect(lines.count == 6)
        #expect(
            lines.first == """
                POST https://s.example/v1/users
                  {"name":"ann","password":"‹masked›"}
                ← 200 {"id":7,"token":"‹masked›"}
                """)
        #expect(lines[1].contains("\n  title: 7 bytes\n  photo: 1.jpg, image/jpeg, 4 bytes\n← 200"))
        #expect(lines[2].hasPrefix("GET https://s.example/v1/busy?page=2&token=‹masked›\n← 503 {\"message\":\"full\""))
        #expect(lines[3].hasPrefix("GET https://s.example/v1/down?token=‹masked›\n✕ "))
        #expect(lines[3].contains("connectionRefused") && lines[3].contains(": refused "))
        // A form, and a body that is a file.
        #expect(lines[4].hasPrefix("POST https://s.example/v1/users\n  name=ann&password=‹masked›\n← 200"))
        #expect(lines[5].contains("1.jpg, 4 bytes\n← 200"))
        #expect(!lines.joined().contains("hunter2"))
        // A form says a field by its size, a streamed answer is not read, and one that is no text is told by its size.
        #expect(!lines[1].contains("Sunrise"))
        #expect(try await client.stream(.get("/rows")) { $0.status } == .ok)
        #expect(log.withLock { $0.last } == "GET https://s.example/v1/rows\n← 200 a stream")
        _ = try await client.get("/page", as: String.self)
        #expect(log.withLock { $0.last } == "GET https://s.example/v1/page\n← 200 sold out")
        _ = try await client.get("/feed", as: Data.self)
        #expect(log.withLock { $0.last } == "GET https://s.example/v1/feed\n← 200 ‹4 bytes›")
        let console = events.withLock { $0.joined(separator: "\n") }
        #expect(console.contains("✕ connectionRefused") && console.contains(": refused ") && console.contains("attempt failed: connectionRefused"))
        #expect(!console.contains("hunter2"))
    }

    // QSP-43: the user adds a setting to the layers, with a default and a stage of its own.
    @Test func anAppAddsItsOwnSettings() async throws {
        let stub = StubTransport.user
        let client = Client(stub) { $0.station = "north" }
        _ = try await client.send(GetUser(id: 7))
        _ = try await client.send(GetUser(id: 7)) { $0.station = "south" }
        _ = try await Client(stub).send(GetUser(id: 7))
        #expect(stub.requests.map { $0[field: "From"] } == ["north", "south", nil])
        #expect(client.explain(GetUser(id: 7)) { $0.station = "south" }["station"].map { "\($0)" } == "station south ← call, hides client north")
        #expect(Client(stub).explain(GetUser(id: 7), listing: [Station.setting])["station"]?.value == "none")
    }

    // QSP-44: a package manager installs it: the manifest offers every library, and a package of its own depends on it so. CocoaPods, which
    // needs a `.podspec`, finds none.
    @Test func aPackageManagerInstallsIt() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let manifest = try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
        // Each folder of the sources is a product, but for those that are inside others and those of the executables.
        let inner: Set = [
            "CHiredis", "CZlib", "TarmacBench", "TarmacCLI", "TarmacConnection", "TarmacDigest", "TarmacHTTP", "TarmacMasking", "TarmacResolver",
            "TarmacSupport",
        ]
        let folders = try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("Sources").path)
        #expect(folders.contains("Tarmac") && folders.contains("TarmacURLSession"))
        for product in folders where !inner.contains(product) && !product.hasPrefix(".") {
            #expect(manifest.contains(".library(name: \"\(product)\", targets: [\"\(product)\"])"), "\(product)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: root.path).allSatisfy { !$0.hasSuffix(".podspec") })
        let consumer = try String(contentsOf: root.appendingPathComponent("Examples/Seeds/Package.swift"), encoding: .utf8)
        #expect(consumer.contains(".package(name: \"tarmac\", path: \"../..\")"))
        for product in ["Tarmac", "TarmacURLSession", "TarmacJSON"] {
            #expect(consumer.contains(".product(name: \"\(product)\", package: \"tarmac\")"), "\(product)")
        }
    }

    // QSP-B11: several clients with conditions, sessions and retries of their own, typed values and errors.
    @Test func nothingIsASingleton() async throws {
        let busy = { StubTransport { _ in .json(#"{"ok":true,"id":7,"name":"ann"}"#, status: .serviceUnavailable) } }
        let (never, often) = (busy(), busy())
        let one = Client(never) { $0.retry = .never }
        let two = Client(often) { $0.retry = .exponential(maxAttempts: 3, base: .milliseconds(1)) }
        for client in [one, two] {
            let error = await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 7)) }
            #expect(error?.code == .unacceptableStatus)
        }
        #expect(never.requests.count == 1 && often.requests.count == 3)
        let (ok, status) = (
            Client(.enveloped(#"{"ok":true}"#)) { $0.envelope = Envelope(success: { $0["ok"] == true }) },
            Client(.enveloped(#"{"ok":true}"#)) { $0.envelope = .status }
        )
        try await ok.get("/")
        await #expect(throws: TarmacError.self) { try await status.get("/") }
    }

    // QSP-B11: the kernel knows no screen: it imports none of the frameworks that have one, and presenters are outside of it.
    @Test func theKernelKnowsNoScreen() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let kernel = root.appendingPathComponent("Sources/TarmacCore").path
        let files = try FileManager.default.subpathsOfDirectory(atPath: kernel).filter { $0.hasSuffix(".swift") }
        // `import class UIKit.UIView` names its module after the kind.
        let kinds: Set<Substring> = ["class", "struct", "enum", "protocol", "typealias", "func", "let", "var"]
        var imported: Set<String> = []
        for file in files {
            for line in try String(contentsOf: URL(fileURLWithPath: "\(kernel)/\(file)"), encoding: .utf8).split(separator: "\n") {
                let words = line.split(separator: " ")
                guard let index = words.firstIndex(of: "import"), !line.hasPrefix("//") else { continue }
                guard let name = words.dropFirst(index + 1).first(where: { !kinds.contains($0) }) else { continue }
                imported.insert(String(name.prefix { $0 != "." }))
            }
        }
        #expect(imported.isSuperset(of: ["HTTPTypes", "TarmacJSON"]))
        #expect(imported.isDisjoint(with: ["UIKit", "AppKit", "SwiftUI", "WatchKit", "TVUIKit", "TarmacPresentation"]))
        #expect(String(reflecting: (any Presenter).self).contains("TarmacPresentation."))
    }

    // QSP-B13: a configuration of one request makes no transport, whatever it sets.
    @Test func aRequestWithSettingsOfItsOwnSharesTheTransport() async throws {
        let (made, stub) = (Locked(0), StubTransport.user)
        let factory = TransportFactory(name: "counted") { _ in
            made.withLock { $0 += 1 }
            return stub
        }
        let client = Client(transport: factory, services: [Service("s", host: "https://s.example")])
        for seconds in 1...5 {
            try await client.get("/") {
                $0.timeout = .seconds(Double(seconds))
                $0.connectTimeout = .seconds(Double(seconds))
                $0.headers["X-A"] = "\(seconds)"
                $0.authenticator = .basic(user: "ann", password: "\(seconds)")
                $0.cache = .ttl(.seconds(60), version: seconds)
                $0.presenter = Board()
            }
        }
        #expect(made.withLock { $0 } == 1 && stub.requests.count == 5)
    }
}
