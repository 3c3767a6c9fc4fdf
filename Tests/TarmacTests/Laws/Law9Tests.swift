import Foundation
import HTTPTypes
import TarmacJSON
@testable import TarmacConnection
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacFormats
import TarmacSigning
import TarmacStreams
@testable import TarmacTransfer

/// Every way Swift has to show a value.
enum Shown {
    static func texts(_ value: Any) -> [String] {
        var dumped = "", mirrored = ""
        dump(value, to: &dumped)
        mirror(value, depth: 0, into: &mirrored)
        // As `print` and `debugPrint` do.
        var texts = [dumped, String(describing: value), String(reflecting: value), mirrored]
        if let error = value as? any Error { texts += bridged(error) }
        return texts
    }

    private static func bridged(_ error: any Error) -> [String] {
        let bridged = error as NSError
        return ["\(bridged)", bridged.description, bridged.debugDescription, "\(bridged.userInfo)", bridged.localizedDescription, error.localizedDescription]
    }

    private static func mirror(_ value: Any, depth: Int, into text: inout String) {
        guard depth < 14 else { return }
        for child in Mirror(reflecting: value).children {
            print(child.label ?? "", child.value, separator: " ", terminator: "", to: &text)
            mirror(child.value, depth: depth + 1, into: &text)
        }
    }
}

@Suite("Law 9: a secret appears nowhere", .timeLimit(.minutes(5)))
struct Law9Tests {
    private static let secret = "hunter2"

    struct Login: Endpoint, Encodable {
        typealias Value = Number
        static let route: Route = .post("/login/{door}/{passage}/{token}")
        @Secret var door = secret
        @Secret var pin = secret
        @Query("q") @Secret var answer = secret
        @Header("X-Pass") @Secret var pass = secret
        @Header("Authorization") var authorization = "Bearer \(secret)"
        var nested = Nested()
        var phrase = secret
        var passage = secret
        var token = secret
        struct Nested: Encodable {
            @Secret var code = secret
            var password = secret
        }

        func configure(_ options: inout Options) { options.secretNames.formUnion(["phrase", "passage"]) }
    }

    /// Whose every field is marked: what an app says of its own plain fields is its own business.
    struct Sealed: Encodable {
        @Secret var pin = secret
        @Query("q") @Secret var answer = secret
        @Header("X-Pass") var pass = secret
    }

    private static func loud(_ options: inout Options) {
        options.headers = ["Authorization": "Bearer \(secret)", "Cookie": "sid=\(secret)", "Proxy-Authorization": "Basic \(secret)"]
        options.parameters = ["token": secret]
        options.secretNames = ["phrase"]
    }

    private enum Label: UserInfoKey { typealias Value = String }
    private static func labels() -> UserInfo {
        var labels = UserInfo()
        labels[Label.self] = secret
        return labels
    }

    private static let echoing = Response.json(
        #"{"n":"\#(secret)","error":"\#(secret)"}"#, status: .init(code: 400, reasonPhrase: "no such pin \(secret)"),
        headers: [.setCookie: "sid=\(secret)", .wwwAuthenticate: "Digest nonce=\(secret)"])

    private func check(_ value: Any, _ note: String = "", sourceLocation: SourceLocation = #_sourceLocation) {
        for text in Shown.texts(value) where text.contains(Self.secret) {
            Issue.record("\(note) \(type(of: value)) shows it: \(text.prefix(300))", sourceLocation: sourceLocation)
        }
    }

    // MARK: Values

    static var values: [(String, Any)] {
        get throws {
            let headers: HTTPFields = [.authorization: "Bearer \(secret)", .cookie: secret, .setCookie: secret]
            let url = try HTTPURL("https://s.example/?token=\(secret)")
            let request = Request(.post, url, headers: headers, body: .text(secret))
            let response = Response(status: .ok, headers: headers, body: .bytes(Bytes(secret)), url: url, trailers: headers)
            let options = Options(loud)
            let service = Service("s", host: "https://s.example", configure: loud)
            let payload = Payload(
                response: response, call: PayloadCall(endpoint: "e", service: "s", method: .get, redactor: .standard), envelope: .off,
                decoder: .tarmac, documentOptions: .init())
            let failed = TarmacError(.decodingFailed, cause: Foreign()).with(response: response.snapshot)
            let list = ParameterList([
                Parameter("token", .string(secret)), Parameter("o", .object([Parameter("p", .string(secret), isSecret: true)])),
            ])
            return [
                ("request", request), ("response", response), ("snapshot", response.snapshot), ("url", url),
                ("body", Body.text(secret)), ("bytes", Bytes(secret)),
                ("landed", Landed(value: secret, attempts: 1, duration: .zero, payload: payload)),
                ("payload", payload), ("streamed", StreamedResponse(response)), ("download", DownloadedFile(path: "p", response: response)),
                ("error", failed), ("verdict", Verdict.failure(failed)),
                ("event", CallEvent(call: 1, endpoint: "e", service: "s", attempt: 1, instant: .now, kind: .failed(failed, duration: .zero))),
                ("options", options), ("headers", options.headers), ("parameters", list), ("parameter", list[0]),
                ("service", service), ("inline", InlineEndpoint<Void>.post("/", list, body: .text(secret)).with(loud)),
                ("endpoint", Sealed()), ("client", Client(transport: .stub { _ in response }, services: [service], configure: loud)),
                ("proxy", ConnectionSettings { $0.proxy = .http(host: "h", port: 1, authorization: .init(user: "u", password: secret)) }),
                ("hosts", Hosts("https://s.example?token=\(secret)")),
                ("encryption", PayloadEncryption.cipher(Flip(key: secret))), ("signing", RequestSigning.signer(Counting(key: secret))),
                ("verification", ResponseVerification.verifier(Echoed(key: secret))),
                ("outcome", CallOutcome.landed(value: secret, response: response)), ("labels", labels()),
                ("redactor", Redactor.standard), ("all", [request, response, options, failed] as [Any]),
            ]
        }
    }

    @Test func noPublicTypeShowsTheSecretItHolds() throws {
        for (name, value) in try Self.values {
            check(value, name)
            check(Optional(value) as Any, name)
            check(["key": value], name)
        }
    }

    // MARK: One call

    @Test func aCallShowsItsSecretsInNoEventLogErrorCurlOrExplanation() async throws {
        let (recorder, lines) = (EventRecorder(), Watched<[String]>([]))
        let service = Service("s", host: "https://s.example", configure: Self.loud)
        let again = "?again=1&pin=\(Self.secret)&q=\(Self.secret)"
        let stub = StubTransport {
            $0.url.query?.contains("again") == true ? Self.echoing : .redirect(to: again, status: .temporaryRedirect)
        }
        let client = Client(transport: .stub(stub), services: [service]) {
            $0.observers = [recorder, ConsoleLogger(.everything) { line in lines.update { $0.append(line) } }]
        }
        let error = try #require(await failure { _ = try await client.send(Login()) })
        #expect(stub.requests.count == 2)
        #expect(stub.requests.first?.url.string.contains("hunter2") == true)
        check(error, "error")
        check(error.context as Any, "context")
        for event in recorder.events { check(event, "event") }
        #expect(recorder.events.count > 8)
        for line in lines.value { check(line, "log") }
        #expect(!lines.value.isEmpty)
        check(client.explain(Login()), "explain")
        check(CurlPrinter().command(for: try client.request(for: Login())), "cURL")
        check(error.context?.request ?? "", "shown request")
    }

    @Test(arguments: [
        "/reset/hunter2/", "/reset/hunter2", "https://other.example/reset/hunter2?again=hunter2", "http://s.example/hunter2",
        "https://a..b/reset/hunter2", "/reset/hunter2/%zz", "ftp://s.example/hunter2",
    ])
    func aRedirectThatRepeatsTheSecretOfAPathIsNotShown(location: String) async throws {
        struct Reset: Endpoint, Encodable {
            typealias Value = Number
            static let route: Route = .get("/reset/{door}")
            @Secret var door = Law9Tests.secret
        }
        let (recorder, lines) = (EventRecorder(), Watched<[String]>([]))
        for rule in [RedirectRule.follow, .sameOriginOnly, .follow(limit: 1), .follow(limit: 0)] {
            let stub = StubTransport { $0.url.path.hasSuffix("/") ? .json(#"{"n":1}"#) : .redirect(to: location, status: .movedPermanently) }
            let client = Client(stub) {
                $0.redirects = rule
                $0.observers = [recorder, ConsoleLogger(.everything) { line in lines.update { $0.append(line) } }]
            }
            do { check(try await client.landed(for: Reset()).response, "response") } catch { check(error, "\(rule)") }
            do { try await client.stream(Reset()) { response in check(response, "streamed") } } catch { check(error, "\(rule)") }
        }
        for event in recorder.events { check(event, "event") }
        for line in lines.value { check(line, "log") }
        #expect(recorder.events.count > 8)
    }

    @Test(arguments: [BodyFormat.json, .form, .propertyList])
    func curlMasksSecretFieldsInEveryBody(format: BodyFormat) throws {
        let client = Client(StubTransport { _ in .status(.ok) })
        let request = try client.request(for: Login()) { $0.bodyFormat = format }
        let command = CurlPrinter().command(for: request)
        check(command)
        // A property list is not looked into, so nothing of it is shown.
        #expect(command.contains("pin") == (format != .propertyList))
        #expect(CurlPrinter(redactor: nil).command(for: request).contains("hunter2"))
    }

    @Test func curlMasksABodyThatIsASecretAsAWhole() throws {
        struct Blob: Endpoint, Encodable {
            typealias Value = Void
            static let route: Route = .post("/")
            @WholeBody @Secret var text = Law9Tests.secret
        }
        struct Object: Endpoint, Encodable {
            typealias Value = Void
            static let route: Route = .post("/")
            @WholeBody @Secret var value = ["word": Law9Tests.secret]
        }
        let client = Client(StubTransport { _ in .status(.ok) })
        check(CurlPrinter().command(for: try client.request(for: Blob())))
        check(CurlPrinter().command(for: try client.request(for: Object())))
    }

    @Test func streamsShowNoMoreThanCalls() async throws {
        let recorder = EventRecorder()
        let client = Client(StubTransport { _ in .chunks([Self.secret], headers: [.setCookie: Self.secret]) }) {
            $0.observers.append(recorder)
        }
        try await client.stream(Login()) { response in check(response) }
        for event in recorder.events { check(event) }
    }

    @Test func aLandedValueIsNotShown() async throws {
        let client = Client(StubTransport { _ in .json(#"{"token":"hunter2"}"#, headers: [.setCookie: Self.secret]) })
        check(try await client.landed(for: InlineEndpoint<JSON>.get("/", as: JSON.self)))
        check(try await client.landed(for: InlineEndpoint<String>.get("/", as: String.self)))
    }

    // MARK: Bad input

    @Test(arguments: [
        "https://user:hunter2@s.example/", "https://user:hu@hunter2@s.example/", "https://user:hunter2?x@s.example/",
        "https://user:hunter2#x@s.example/", "https://user:hunter2/x@s.example/", "https://s.example/?token=hunter2%zz",
        "https://hunter2@s.example:99999/", "ftp://user:hunter2@s.example", "user:hunter2@s.example",
    ])
    func aRefusedURLShowsNoCredentials(text: String) async {
        let error = await failure { _ = try HTTPURL(text) }
        #expect(error?.code == .invalidURL)
        check(error as Any)
        guard text.contains("://") else { return }
        let called = await failure { try await Client(StubTransport { _ in .status(.ok) }).get(text) }
        check(called as Any)
        check(Hosts(text), "hosts")
    }

    @Test func aRefusedHeaderNamesItselfAndNotItsValue() async {
        for value in ["hunter2\r\nX: y", "hunter2\0"] {
            let error = await failure { try await Client(StubTransport { _ in .status(.ok) }).get("/") { $0.headers["X-Key"] = value } }
            #expect(error?.reason.contains("X-Key") == true)
            check(error as Any)
        }
    }

    @Test func aRefusedProxyShowsNoCredentials() {
        for text in ["http://user:hunter2@:8080", "socks5://user:hunter2@h:1", "http://user:hunter2%zz@h:1", "ftp://user:hunter2@h"] {
            let error = #expect(throws: TarmacError.self) { try ProxyURLParser(variable: "HTTP_PROXY").parse(text) }
            check(error as Any)
        }
    }

    @Test func aDecodingErrorQuotesNoValue() async throws {
        struct Mood: Decodable, Sendable {
            enum Kind: String, Decodable, Sendable { case good }
            var kind: Kind
        }
        let client = Client(StubTransport { _ in .json(#"{"kind":"hunter2"}"#) })
        let error = await failure { _ = try await client.get("/", as: Mood.self) }
        #expect(error?.path == "$.kind")
        check(error as Any)
        let broken = Client(StubTransport { _ in .json(#"{"token":"hunter2" hunter2"#) })
        check(await failure { _ = try await broken.get("/", as: JSON.self) } as Any)
    }

    @Test func aSecretHeaderDoesNotCrossOrigins() async throws {
        let stub = StubTransport { $0.url.host == "s.example" ? .redirect(to: "https://other.example/", status: .temporaryRedirect) : .json(#"{"n":1}"#) }
        _ = try await Client(stub).send(Login()) { $0.headers["X-Plain"] = "stays" }
        let headers = try #require(stub.requests.last?.headers)
        #expect(!headers.contains(HTTPField.Name("X-Pass")!))
        #expect(!headers.contains(.authorization))
        #expect(headers[HTTPField.Name("X-Plain")!] == "stays")
    }
}
