import Foundation
import HTTPTypes
import TarmacCallLog
import TarmacJSON
import TarmacTesting

import Tarmac
@testable import TarmacAuth
@testable import TarmacCache
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacHAR
@testable import TarmacOutbox
@testable import TarmacGroups
@testable import TarmacResumableUpload
import TarmacSigning
import TarmacStreams
@testable import TarmacTransfer

/// A way in which the library shows a value. `scripts/lint` checks that every public type that can hold a user's data is
/// in `scripts/support/outputs.txt`, and that each line there has its output here.
struct MaskedOutput {
    /// The public type, or the name of a text.
    let name: String
    /// The values or texts to look at, of what a call left behind.
    let values: (MaskedTrace) throws -> [Any]
    /// Whether the values are the same for all calls.
    let isSample: Bool

    init(_ name: String, isSample: Bool = false, _ values: @escaping (MaskedTrace) throws -> [Any]) {
        (self.name, self.isSample, self.values) = (name, isSample, values)
    }

    static var all: [MaskedOutput] { texts + call + messages + results + stores }

    // MARK: Texts

    private static var texts: [MaskedOutput] {
        [
            MaskedOutput("error's user message") { trace in
                trace.known.flatMap { [$0.userMessage, $0.userMessage(in: .english), $0.userMessage(in: .simplifiedChinese)] }
            },
            MaskedOutput("error bridged to NSError") { trace in trace.errors.map { $0 as NSError } },
            MaskedOutput("call's events") { $0.events.map { "\($0.kind)" } },
            MaskedOutput("console log") { $0.lines },
            MaskedOutput("call log's entries") { trace in
                trace.logs.flatMap { log in [log] + log.entries.flatMap { [$0, String(decoding: $0.json, as: UTF8.self)] as [Any] } as [Any] }
            },
            MaskedOutput("call log's archive") { trace in trace.logs.map { String(decoding: $0.har().bytes.array, as: UTF8.self) } },
            MaskedOutput("call log's commands") { trace in trace.logs.map(\.entries).joined().compactMap(\.curl) },
            MaskedOutput("explain") { $0.explanations.map(\.description) },
            MaskedOutput("cURL command") { trace in (trace.requests + trace.previews).map { CurlPrinter().command(for: $0) } },
            MaskedOutput("cassette's file") { try $0.cassettes.map { String(decoding: try $0.har, as: UTF8.self) } },
            MaskedOutput("cache's entries") { $0.found([CacheEntry].self).flatMap { $0.flatMap { [$0, $0.shownURL, $0.description] as [Any] } } },
            MaskedOutput("outbox's entries") { trace in
                trace.found([OutboxEntry].self).flatMap { entries in entries.flatMap { [$0, $0.failure?.reason as Any, $0.failure?.serverMessage as Any] } }
            },
            MaskedOutput("ledger's records") { $0.found([TransferRecord].self).flatMap { $0.flatMap { [$0, $0.request, $0.name] as [Any] } } },
            MaskedOutput("hooks' summaries and outcomes") { $0.hooks },
        ]
    }

    // MARK: A call

    private static var call: [MaskedOutput] {
        [
            MaskedOutput("TarmacError") { trace in
                trace.known.flatMap { [$0, $0.reason, $0.suggestion as Any, $0.path as Any, $0.serverMessage as Any, $0.serverCode as Any] as [Any] }
            },
            MaskedOutput("TarmacError.Context") { $0.known.compactMap(\.context) },
            MaskedOutput("CallEvent") { $0.events },
            MaskedOutput("CallEvent.Kind") { $0.events.map(\.kind) },
            MaskedOutput("AuthEvent") { $0.stageEvents(AuthEvent.self) },
            MaskedOutput("CacheEvent") { $0.stageEvents(CacheEvent.self) },
            MaskedOutput("ResilienceEvent") { $0.stageEvents(ResilienceEvent.self) },
            MaskedOutput("StreamEvent") { $0.known.map { StreamEvent.reconnecting(after: .zero, because: $0) } },
            MaskedOutput("Explanation") { $0.explanations },
            MaskedOutput("Explanation.Setting") { $0.explanations.flatMap(\.settings) },
            MaskedOutput("EventRecorder", isSample: true) { _ in [EventRecorder()] },
            MaskedOutput("ConsoleLogger", isSample: true) { _ in [ConsoleLogger()] },
            MaskedOutput("MessageLogger", isSample: true) { _ in [MessageLogger()] },
            MaskedOutput("CurlPrinter", isSample: true) { _ in [CurlPrinter()] },
            MaskedOutput("Redactor", isSample: true) { _ in [Redactor.standard] },
            MaskedOutput("Client") { $0.client.map { [$0] } ?? [] },
            MaskedOutput("ServiceClient") { $0.client.map { [$0[secretService]] } ?? [] },
            MaskedOutput("CallContext") { trace in try trace.client.map { [try $0.preview(.get("/"), Options(secretSettings))] } ?? [] },
            MaskedOutput("Chain") { trace in try trace.client.map { [Chain(try $0.preview(.get("/"), Options(secretSettings)))] } ?? [] },
            MaskedOutput("CallSummary") { $0.hooks },
            MaskedOutput("CallOutcome") { trace in
                trace.known.map { CallOutcome.failed($0) } + trace.found(Landed<Number>.self).map { .landed(value: $0, response: $0.response) }
            },
            MaskedOutput("InlineEndpoint", isSample: true) { _ in [secretEndpoint] },
            MaskedOutput("ConfiguredEndpoint", isSample: true) { _ in [ConfiguredEndpoint(base: secretEndpoint, options: Options(secretSettings))] },
            MaskedOutput("Download", isSample: true) { _ in [Download(secretEndpoint, to: "/tmp/f")] },
            MaskedOutput("Upload", isSample: true) { _ in [Upload(.text("x"), to: secretEndpoint)] },
            MaskedOutput("Options", isSample: true) { _ in [Options(secretSettings)] },
            MaskedOutput("Service", isSample: true) { _ in [secretService] },
            MaskedOutput("Hosts", isSample: true) { _ in [Hosts("https://u:\(mark)@s.example/?token=\(mark)"), Hosts("https://s.example?token=\(mark)")] },
            MaskedOutput("ConnectionSettings", isSample: true) { _ in [ConnectionSettings { $0.proxy = proxy }] },
            MaskedOutput("ConnectionSettings.ProxySetting", isSample: true) { _ in [proxy] },
            MaskedOutput("ConnectionSettings.ProxyAuthorization", isSample: true) { _ in [ConnectionSettings.ProxyAuthorization(user: "u", password: mark)] },
            MaskedOutput("CallTag", isSample: true) { _ in [CallTag("orders")] },
            MaskedOutput("UserInfo", isSample: true) { _ in [labels] },
        ]
    }

    // MARK: Messages

    private static var messages: [MaskedOutput] {
        [
            MaskedOutput("Request") { $0.requests + $0.previews },
            MaskedOutput("Body") { trace in trace.requests.map(\.body) + [Body.text(mark)] },
            MaskedOutput("Body.Content") { trace in trace.requests.map(\.body.content) + [Body.text(mark).content] },
            MaskedOutput("Bytes") { trace in trace.requests.compactMap(\.body.buffered) + [Bytes(mark)] },
            MaskedOutput("HTTPURL") { $0.requests.map(\.url) },
            MaskedOutput("HeaderSettings", isSample: true) { _ in [Options(secretSettings).headers] },
            MaskedOutput("Response", isSample: true) { _ in [secretResponse] },
            MaskedOutput("ResponseBody", isSample: true) { _ in [secretResponse.body] },
            MaskedOutput("ResponseSnapshot") { $0.known.compactMap(\.response) + [secretResponse.snapshot] },
            MaskedOutput("Verdict") { $0.known.map { Verdict.failure($0) } },
            MaskedOutput("Route", isSample: true) { _ in [Route.get("/a?token=\(mark)"), Route.get("https://u:\(mark)@s.example/?sig=\(mark)")] },
            MaskedOutput("URITemplate", isSample: true) { _ in [try URITemplate("https://s.example/?token=\(mark)")] },
            MaskedOutput("Parameter", isSample: true) { _ in [Parameter("token", .string(mark)), Parameter("a", .object([Parameter("b", .string(mark))]))] },
            MaskedOutput("ParameterList", isSample: true) { _ in [ParameterList([Parameter("token", .string(mark))])] },
            MaskedOutput("Header", isSample: true) { _ in [Header(wrappedValue: mark, "X-Token")] },
            MaskedOutput("Secret", isSample: true) { _ in [Secret(wrappedValue: mark)] },
            MaskedOutput("JSONDocument", isSample: true) { _ in [try JSONDocument(Planted.json("a"))] },
            MaskedOutput("JSONError") { trace in trace.known.compactMap { $0.cause(as: JSONError.self) } },
            MaskedOutput("ServerSentEvent", isSample: true) { _ in [ServerSentEvent(data: Planted.json("a"))] },
            MaskedOutput("WebLink", isSample: true) { _ in WebLink.links(in: "<https://s.example/?token=\(mark)>; rel=next; title=\(mark)") },
            MaskedOutput("RequestSigning", isSample: true) { _ in [RequestSigning.signer(Counting(key: mark))] },
            MaskedOutput("PayloadEncryption", isSample: true) { _ in [PayloadEncryption.cipher(Flip(key: mark))] },
            MaskedOutput("ResponseVerification", isSample: true) { _ in [ResponseVerification.verifier(Echoed(key: mark))] },
        ]
    }

    // MARK: Results

    private static var results: [MaskedOutput] {
        [
            MaskedOutput("Landed") { trace in trace.found(Landed<Number>.self) + trace.found(Landed<String>.self) },
            MaskedOutput("Payload") { trace in trace.found(Landed<Number>.self).map(\.payload) + trace.found(Landed<String>.self).map(\.payload) },
            MaskedOutput("StreamedResponse", isSample: true) { _ in [StreamedResponse(secretResponse)] },
            MaskedOutput("DownloadedFile", isSample: true) { _ in [DownloadedFile(path: "p", response: secretResponse)] },
            MaskedOutput("UploadedFile", isSample: true) { _ in [UploadedFile(url: secretResponse.url, response: secretResponse)] },
            MaskedOutput("UploadProtocol", isSample: true) { _ in [UploadProtocol.tus { $0.metadata = ["token": mark] }] },
            MaskedOutput("GraphResults") { $0.found(GraphResults.self) },
            MaskedOutput("ChainResults", isSample: true) { _ in [ChainResults(first: mark)] },
            MaskedOutput("ReformedRow", isSample: true) { _ in [ReformedRow()] },
            MaskedOutput("Cassette") { $0.cassettes },
            MaskedOutput("CassettePlayer") { trace in trace.cassettes.flatMap { [CassettePlayer($0), CassettePlayer($0).unplayed] as [Any] } },
            MaskedOutput("CassetteRecorder", isSample: true) { _ in [CassetteRecorder()] },
            MaskedOutput("StubTransport", isSample: true) { _ in [StubTransport { _ in .json("{}") }] },
        ]
    }

    // MARK: Stores and credentials

    private static var stores: [MaskedOutput] {
        [
            MaskedOutput("AccessToken", isSample: true) { _ in [AccessToken(mark, refreshToken: mark, extras: ["id_token": mark])] },
            MaskedOutput("Authentication", isSample: true) { _ in
                [
                    Authentication.bearer(mark), Authentication.basic(user: "u", password: mark), Authentication.apiKey(mark, header: "X-Key"),
                    Authentication.apiKey(mark, query: "key"),
                ]
            },
            MaskedOutput("OAuthClient", isSample: true) { _ in [OAuthClient(id: "app", secret: mark)] },
            MaskedOutput("OAuthAuthenticator", isSample: true) { _ in
                [OAuthAuthenticator(tokenURL: "https://s.example/token?key=\(mark)", client: OAuthClient(id: "app", secret: mark))]
            },
            MaskedOutput("MemoryTokenStore", isSample: true) { _ in [MemoryTokenStore([TokenKey(service: "s", environment: "e"): AccessToken(mark)])] },
            MaskedOutput("CacheKey") { $0.found([CacheEntry].self).joined().map(\.key) },
            MaskedOutput("CacheEntry") { Array($0.found([CacheEntry].self).joined()) },
            MaskedOutput("CacheRecord") { $0.found([CacheEntry].self).joined().map { CacheRecord($0, body: Bytes(mark)) } },
            MaskedOutput("CacheLookup") { $0.found([CacheEntry].self).joined().map { CacheLookup([CacheRecord($0, body: Bytes(mark))]) } },
            MaskedOutput("CacheNotice", isSample: true) { _ in [CacheNotice(.unreadable, "it is damaged")] },
            MaskedOutput("OutboxEntry") { $0.found([OutboxEntry].self) },
            MaskedOutput("OutboxFailure") { $0.found([OutboxEntry].self).joined().compactMap(\.failure) },
            MaskedOutput("OutboxMutation") { $0.found([OutboxEntry].self).joined().compactMap(\.mutation) },
            MaskedOutput("TransferRecord") { $0.found([TransferRecord].self) },
        ]
    }

    // MARK: Samples

    private static let mark = "\(Planted.mark)x0z"
    private static var proxy: ConnectionSettings.ProxySetting { .http(host: "h", port: 1, authorization: .init(user: "u", password: mark)) }

    private static func secretSettings(_ options: inout Options) {
        options.headers = ["Authorization": "Bearer \(mark)", "X-Vault-Token": mark]
        options.parameters = ["authToken": mark]
        options.authenticator = .bearer(mark)
        options.userInfo = labels
    }
    private static var secretService: Service { Service("s", host: "https://s.example", configure: secretSettings) }
    private static var secretEndpoint: InlineEndpoint<Void> {
        .post("/a?token=\(mark)", ["token": mark], body: .text(mark)).with(secretSettings)
    }
    private static var secretResponse: Response {
        var fields = HTTPFields()
        for (name, value) in Planted.fields("H") { fields.append(HTTPField(name: HTTPField.Name(name)!, value: value)) }
        var response = Response.json(Planted.json("a"), headers: fields)
        response.url = (try? HTTPURL("https://s.example/?\(Planted.query("q"))")) ?? response.url
        return response
    }

    private enum Label: UserInfoKey { typealias Value = String }
    private static var labels: UserInfo {
        var labels = UserInfo()
        labels[Label.self] = mark
        return labels
    }
}

extension MaskedTrace {
    var known: [TarmacError] { errors.flatMap(Self.known) + found((any Error).self).flatMap(Self.known) }

    private static func known(_ error: any Error) -> [TarmacError] { (error as? TarmacError).map { [$0, $0.unmapped] } ?? [] }

    /// The values of a type among the results, also within lists of them.
    func found<Value>(_ type: Value.Type) -> [Value] { results.flatMap { Self.found(type, in: $0) } }

    private static func found<Value>(_ type: Value.Type, in result: Any) -> [Value] {
        if let value = result as? Value { return [value] }
        return (result as? [Any])?.flatMap { found(type, in: $0) } ?? []
    }
}

extension MaskedTrace {
    fileprivate func stageEvents<Event: StageEvent>(_ type: Event.Type) -> [Any] {
        events.compactMap { if case .stage(let event as Event) = $0.kind { event } else { nil } }
    }
}
