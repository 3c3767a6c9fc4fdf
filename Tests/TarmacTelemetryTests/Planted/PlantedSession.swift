#if Tools
import HTTPTypes
import Tarmac
import TarmacCallLog
import TarmacTelemetry
import TarmacTesting

/// Calls with secrets in all places, to a server that has secrets of its own and repeats those of the calls. A log, telemetry and an
/// observer follow them.
struct PlantedSession {
    /// What becomes of a call.
    enum Outcome: String, CaseIterable {
        case landed, moved, refused, lost
    }

    let planter = Planter()
    let log: CallLog
    let rig: TelemetryRig
    let events = EventRecorder()
    /// What the loggers write.
    let lines = Watched<[String]>([])
    private let server: PlantedServer
    private let requests: [PlantedForm: InlineEndpoint<String>]

    init(recordingTo file: String) {
        let log = CallLog(bodies: .first(.mib(1)), recordingTo: file), server = PlantedServer(planter)
        let (planter, events, lines) = (planter, events, lines)
        let write: @Sendable (String) -> Void = { line in lines.update { $0.append(line) } }
        (self.log, self.server) = (log, server)
        rig = TelemetryRig(configure: { options in
            options.log = log
            options.observers = [events, ConsoleLogger(.everything, write: write)]
            options.interceptors = [MessageLogger(limit: 1_000_000, write: write)]
            options.retry = .never
            options.authenticator = .bearer(planter.plant("bearer"))
            options.headers["X-Master-Key"] = planter.plant("key of the client")
        }) { try server.answer($0) }
        requests = Dictionary(uniqueKeysWithValues: PlantedForm.allCases.map { ($0, Self.request($0, planter)) })
    }

    private static func request(_ form: PlantedForm, _ planter: Planter) -> InlineEndpoint<String> {
        let query = planter.pairs("query").map { Parameter($0.name, .string($0.value), placement: .query) }
        let more = [
            Parameter("page", .string("7"), placement: .query), Parameter("door", .string(planter.plant("path")), placement: .path, isSecret: true),
        ]
        let body = planter.body(form, "request"), cookies = planter.cookies("request").joined(separator: "; "), fields = planter.fields("request")
        let landing = InlineEndpoint<String>.get("/", as: String.self).landing
        let sent = Body.text(body.text, contentType: body.type)
        return InlineEndpoint(.post("/{door}"), ParameterList(query + more), body: sent, landing: landing).with { options in
            options.headers["Cookie"] = cookies
            for (name, value) in fields { options.headers[name] = value }
        }
    }

    /// Sends a call of each form for each outcome, and returns the errors in words.
    func fly() async -> [String] {
        var errors: [String] = []
        for (form, request) in requests.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for outcome in Outcome.allCases {
                var request = request
                request.route = .post("/{door}/\(outcome)/\(form)")
                do { _ = try await rig.client.send(request) } catch { errors.append("\(error) \(String(reflecting: error))") }
            }
        }
        return errors
    }

    /// The secrets that neither a request nor an answer had.
    var unsent: [String] {
        let sent = rig.stub.requests.map { request in
            let body = request.body.buffered.map { String(decoding: $0.array, as: UTF8.self) }
            return "\(request.url.string) \(request.headers.map(\.value)) \(body ?? "")"
        }
        let all = (sent + server.said.value).joined()
        return planter.all.filter { !all.contains($0) }
    }
}

/// Answers with secrets of its own, redirects to an address with secrets, and repeats those of a request where it fails.
struct PlantedServer: Sendable {
    /// What it has answered.
    let said = Watched<[String]>([])
    private let fields: HTTPFields
    private let query: String
    private let bodies: [PlantedForm: PlantedAnswer]

    private struct PlantedAnswer: Sendable { let text: String, type: String }

    init(_ planter: Planter) {
        var fields: HTTPFields = [:]
        for (name, value) in planter.fields("response") { fields.append(HTTPField(name: HTTPField.Name(name)!, value: value)) }
        for cookie in planter.cookies("response") {
            fields.append(HTTPField(name: .setCookie, value: "\(cookie); Path=/; x=\(planter.plant("attribute"))"))
        }
        fields.append(HTTPField(name: HTTPField.Name("Link")!, value: "<https://cdn.shop.example/?token=\(planter.plant("link"))>; rel=next"))
        self.fields = fields
        query = planter.query("location")
        bodies = Dictionary(
            uniqueKeysWithValues: PlantedForm.allCases.map { form in
                let body = planter.body(form, "response")
                return (form, PlantedAnswer(text: body.text, type: body.type))
            })
    }

    func answer(_ request: Request) throws -> Response {
        let path = request.url.path, echo = "\(request.url.query ?? "") with \(request.headers[.init("X-API-Key")!] ?? "")"
        if path.contains("/lost/") { throw TarmacError(.connectionLost, phase: .receiving, "lost \(request.url.string) and \(echo)") }
        said.update { $0.append("\(fields.map(\.value)) \(query)") }
        if path.contains("/refused/") { return .json(#"{"message":"no \#(echo)"}"#, status: .badRequest, headers: fields) }
        let form = PlantedForm.allCases.first { path.hasSuffix("/\($0)") } ?? .json
        if path.contains("/moved/") { return .redirect(to: "/landed/\(form)?\(query)", status: .temporaryRedirect) }
        guard let body = bodies[form] else { return .status(.notFound) }
        said.update { $0.append(body.text) }
        return .bytes(Bytes(body.text), contentType: body.type, headers: fields)
    }
}
#endif
