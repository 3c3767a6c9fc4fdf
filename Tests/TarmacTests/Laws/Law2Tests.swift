import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacStreams
@testable import TarmacTransfer

/// Somebody's code that throws what Tarmac knows nothing about, and what comes out.
enum Culprit: String, CaseIterable, Sendable {
    case transport, factory, interceptor, attemptInterceptor, transform

    var code: TarmacError.Code {
        switch self {
        case .transport: .transportFailed
        case .factory: .invalidOption
        case .interceptor, .attemptInterceptor, .transform: .callerFailed
        }
    }

    var phase: TarmacError.Phase {
        switch self {
        case .transport: .waiting
        case .factory, .transform: .building
        case .interceptor, .attemptInterceptor: .intercepting
        }
    }

    func client() -> Client {
        let stub = StubTransport { _ in throw Foreign(number: 7) }
        let factory = self == .factory ? TransportFactory(name: "f") { _ in throw Foreign(number: 7) } : .stub(stub)
        return Client(transport: factory, services: [Service("s", host: "https://s.example")]) { options in
            let throwing = Intercepting { _, _ in throw Foreign(number: 7) }
            if self == .interceptor { options.interceptors = [throwing] }
            if self == .attemptInterceptor { options.attemptInterceptors = [throwing] }
            if self == .transform { options.parameterTransforms = [Transforming { _ in throw Foreign(number: 7) }] }
        }
    }
}

@Suite("Law 2: only TarmacError and CancellationError come out", .timeLimit(.minutes(5)))
struct Law2Tests {
    struct Custom: Endpoint {
        typealias Value = Number
        static let route: Route = .get("/custom")
        static let endpointName = "CustomCall"
        var hook: @Sendable () throws -> Void = {}
        var landing: Landing<Number> = Landing { _ in throw Foreign(number: 7) }
        func didLand(_ landed: Landed<Number>) async throws { try hook() }
    }

    private func client(_ response: @escaping @Sendable () throws -> Response, _ configure: (inout Options) -> Void = { _ in }) -> Client {
        Client(StubTransport { _ in try response() }, configure: configure)
    }

    // MARK: Nothing foreign

    @Test(arguments: Culprit.allCases, Verb.allCases)
    func whatOthersThrowIsTheCauseOfATarmacError(culprit: Culprit, verb: Verb) async throws {
        if culprit == .transform, verb == .raw { return }
        let error = try #require(await failure("\(verb)") { try await verb.fly(culprit.client()) })
        #expect(error.code == culprit.code)
        #expect(error.phase == culprit.phase)
        #expect(error.cause(as: Foreign.self) == Foreign(number: 7))
        #expect(error.context?.service == (culprit == .factory ? error.context?.service : "s"))
        #expect(error.endpoint?.isEmpty == false)
        #expect(!error.description.contains("hunter2"))
    }

    @Test func aLandingsOwnErrorIsTheCause() async throws {
        let error = await failure { _ = try await client { .json("{}") }.send(Custom()) }
        #expect(error?.code == .decodingFailed)
        #expect(error?.phase == .decoding)
        #expect(error?.cause(as: Foreign.self) == Foreign(number: 7))
        #expect(error?.status == .ok)
        #expect(error?.endpoint == "CustomCall")
    }

    @Test func aHooksOwnErrorIsTheCause() async throws {
        let endpoint = Custom(hook: { throw Foreign(number: 8) }, landing: Landing { _ in Number(n: 1) })
        let error = await failure { _ = try await client { .json("{}") }.send(endpoint) }
        #expect(error?.code == .callerFailed)
        #expect(error?.phase == .delivering)
        #expect(error?.cause(as: Foreign.self) == Foreign(number: 8))
        #expect(error?.response?.body.count == 2)
    }

    @Test func aStreamScopesOwnErrorIsTheCause() async throws {
        let client = client { .chunks(["a", "b"]) }
        let error = await failure {
            try await client.stream(.get("/stream")) { _ in throw Foreign(number: 9) }
        }
        #expect(error?.code == .callerFailed)
        #expect(error?.cause(as: Foreign.self) == Foreign(number: 9))
    }

    @Test func aStreamThatBreaksThrowsATarmacErrorIntoTheScopeToo() async throws {
        let broken = ByteStream(AsyncThrowingStream<Bytes, any Error> { $0.finish(throwing: Foreign(number: 3)) })
        let client = client { .stream(broken) }
        let error = await failure {
            try await client.stream(.get("/stream")) { response in
                do { for try await _ in response.body {} } catch {
                    #expect((error as? TarmacError)?.code == .transportFailed)
                    throw error
                }
            }
        }
        #expect(error?.code == .transportFailed)
        #expect(error?.phase == .receiving)
        #expect(error?.cause(as: Foreign.self) == Foreign(number: 3))
        #expect(error?.attempts == 1)
    }

    @Test func aBodyThatCannotBeReadIsAnErrorOfTheCall() async throws {
        let broken = ByteStream(AsyncThrowingStream<Bytes, any Error> { $0.finish(throwing: Foreign(number: 4)) })
        let error = await failure { try await client({ .status(.ok) }).post("/", body: .stream(broken)) }
        #expect(error?.code == .transportFailed)
        #expect(error?.cause(as: Foreign.self) == Foreign(number: 4))
    }

    @Test func aFileThatCannotBeWrittenIsAnErrorOfTheCall() async throws {
        let stub = StubTransport { _ in .text("x") }
        let recorder = EventRecorder()
        let client = Client(stub) { $0.observers.append(recorder) }
        let error = await failure { try await client.send(Download(InlineEndpoint<Void>.get("/file"), to: "/nowhere/at/all")) }
        #expect(error?.code == .unwritableFile)
        #expect(error?.endpoint == "GET /file")
        #expect(error?.attempts == 0)
        #expect(stub.requests.isEmpty)
        #expect(recorder.names.last == "failed")
    }

    @Test func aPreviewedRequestFailsWithTheErrorOfItsCall() async throws {
        let client = Culprit.transform.client()
        let error = await failure { _ = try client.request(for: InlineEndpoint<Void>.get("/preview")) }
        #expect(error?.code == .callerFailed)
        #expect(error?.endpoint == "GET /preview")
    }

    @Test func aDecoderOfOnesOwnAndAnErrorBodyThatDoesNotFitAreTarmacErrors() async throws {
        let throwing = BodyDecoder(name: "mine") { _, _ in throw Foreign(number: 5) }
        let error = await failure {
            _ = try await client({ .json(#"{"n":1}"#) }) { $0.decoder = throwing }.get("/", as: Number.self)
        }
        #expect(error?.code == .decodingFailed)
        #expect(error?.cause(as: Foreign.self) == Foreign(number: 5))
        let inner = await failure { _ = try error?.response?.decode(as: [String].self) }
        #expect(inner?.code == .decodingFailed)
    }

    @Test(arguments: Delivery.allCases)
    @MainActor func whatAnOwnerHearsIsNeverForeign(delivery: Delivery) async throws {
        let landings = Watched<[String]>([])
        let owner = Owner(landings)
        let client = client { throw Foreign() }
        let cancel = delivery.start(Fated(fate: .transportFailure), on: client, owner: owner)
        try await landings.wait { !$0.isEmpty }
        #expect(landings.value == ["transportFailed"])
        cancel()
        await client.shutdown()
        #expect(landings.value.count == 1)
    }

    // MARK: What an error carries

    @Test func anErrorSaysWhichCallItWasAndWhatTheServerSaid() async throws {
        struct Refusal: Codable, Equatable { var reason: String }
        let stub = StubTransport { request in
            request.url.path == "/start"
                ? .redirect(to: "/end")
                : try .json(encoding: Refusal(reason: "sold out"), status: .conflict, headers: [.retryAfter: "3"])
        }
        let error = try #require(await failure { _ = try await Client(stub).get("/start", as: Number.self) })
        #expect(error.code == .unacceptableStatus)
        #expect(error.phase == .judging)
        #expect(error.endpoint == "GET /start")
        #expect(error.context?.service == "s")
        #expect(error.attempts == 2)
        #expect(error.status == .conflict)
        #expect(error.response?.headers[.retryAfter] == "3")
        #expect(try error.serverError(as: Refusal.self) == Refusal(reason: "sold out"))
        #expect(error.context.map { $0.duration >= .zero } == true)
        #expect(error.context?.request == "GET https://s.example/start")
    }

    @Test func theBodyItCarriesIsBounded() async throws {
        let long = String(repeating: "x", count: 200_000)
        for verb in Verb.allCases where verb.isOfEndpoint {
            let error = await failure { try await verb.fly(client { .text(long, status: .badRequest) }) }
            #expect(error?.code == .unacceptableStatus, "\(verb)")
            #expect(error?.response?.body.count == 65_536, "\(verb)")
            // A transport that writes files cuts the body off itself, and does not say so.
            #expect(verb == .download || error?.response?.isTruncated == true, "\(verb)")
        }
    }

    @Test func problemDetailsAreReadWithoutAsking() async throws {
        let problem = #"{"type":"https://s.example/out","title":"Out","status":"odd","detail":"Nothing left."}"#
        let client = client { .bytes(Bytes(problem), contentType: "application/problem+json", status: .conflict) }
        let error = await failure { try await client.get("/") }
        #expect(error?.problem?.title == "Out")
        #expect(error?.problem?.status == nil)
        #expect(error?.serverCode == "https://s.example/out")
        #expect(error?.userMessage == "Nothing left.")
    }

    @Test func theServersMessageComesFirstThenOneInTheUsersLanguage() async throws {
        let envelope = Envelope(success: { _ in false }, code: "code", message: "error.text")
        let said = await failure {
            _ = try await client({ .json(#"{"code":7,"error":{"text":"Sold out."}}"#) }) { $0.envelope = envelope }.get("/", as: JSON.self)
        }
        #expect(said?.serverCode == "7")
        for language in UserMessageLanguage.allCases { #expect(said?.userMessage(in: language) == "Sold out.") }
        let silent = await failure { try await client { .status(.notFound) }.get("/") }
        #expect(silent?.userMessage(in: .english) == "This content does not exist.")
        #expect(silent?.userMessage(in: .simplifiedChinese) == "内容不存在。")
        #expect(said?.with(userMessage: "Mine.").userMessage == "Mine.")
    }

    @Test func theChineseOfTheSystemIsFound() {
        #expect(["zh_CN", "zh-Hans_CN", "ZH"].allSatisfy { UserMessages.language(of: $0) == .simplifiedChinese })
        #expect(["en_US", "de_DE", ""].allSatisfy { UserMessages.language(of: $0) == .english })
    }

    @Test func everyLayerMayMapAnErrorLowestFirst() async throws {
        let add: @Sendable (String) -> ErrorMapping = { word in { $0.with(suggestion: ($0.suggestion ?? "") + word) } }
        struct Mapped: Endpoint {
            typealias Value = Void
            static let route: Route = .get("/")
            let map: ErrorMapping
            func configure(_ options: inout Options) { options.mapError.append(map) }
        }
        let service = Service("s", host: "https://s.example") { $0.mapError.append(add("service ")) }
        let client = Client(transport: .stub { _ in throw TarmacError(.connectionLost) }, services: [service]) {
            $0.mapError.append(add("client "))
        }
        let error = await failure { try await client.send(Mapped(map: add("endpoint "))) { $0.mapError.append(add("call")) } }
        #expect(error?.suggestion == "client service endpoint call")
    }
}
