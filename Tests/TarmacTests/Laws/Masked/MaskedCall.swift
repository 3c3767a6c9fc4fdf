import HTTPTypes
import Tarmac
import TarmacCallLog
import TarmacTesting

/// What a call of the matrix left behind: everything an app can print, log or store.
struct MaskedTrace {
    var client: Client?
    var endpoint: Any?
    var errors: [any Error] = []
    var events: [CallEvent] = []
    var lines: [String] = []
    var requests: [Request] = []
    /// Built for display, with all credentials.
    var previews: [Request] = []
    var explanations: [Explanation] = []
    var cassettes: [Cassette] = []
    var hooks: [Any] = []
    var logs: [CallLog] = []
    /// Values, responses and records, whatever the call gave.
    var results: [Any] = []
}

/// The bodies with which a call of the matrix is sent.
enum MaskedBody: String, CaseIterable, Sendable {
    case none, json, form, multipart, text
}

/// A client over a stub, with an ear at everything it says.
struct MaskedRig: Sendable {
    let recorder = EventRecorder()
    let lines = Watched<[String]>([])
    let hooked = Watched<[String]>([])
    let tape = CassetteRecorder(sizeLimit: 64 << 20)
    let log = CallLog(bodies: .first(.mib(4)), memory: .mib(64))
    let stub: StubTransport
    let client: Client
    let time: ManualTime
    let body: MaskedBody

    init(_ body: MaskedBody, _ configure: (inout Options) -> Void = { _ in }, answer: @escaping @Sendable (Request) async throws -> Response) {
        let (recorder, lines, hooked, log) = (recorder, lines, hooked, log)
        let stub = StubTransport { try await answer($0) }
        let time = ManualTime()
        (self.stub, self.time, self.body) = (stub, time, body)
        client = Client(
            transport: .recording(.stub(stub), on: tape), services: [Self.service], time: time, randomness: SeededGenerator(seed: 1)
        ) {
            $0.observers = [recorder, ConsoleLogger(.everything) { line in lines.update { $0.append(line) } }]
            $0.interceptors = [MessageLogger { line in lines.update { $0.append(line) } }]
            $0.log = log
            $0.secretNames = ["shoeSize"]
            $0.hooks = [
                CallHooks(
                    willStart: { summary in hooked.update { $0 += Shown.texts(summary) } },
                    didStop: { summary, outcome in hooked.update { $0 += Shown.texts(summary) + Shown.texts(outcome) } })
            ]
            configure(&$0)
        }
    }

    private static let service = Service("s", hosts: [.production: Hosts("https://s.example", cdn: "https://cdn.example")]) { options in
        options.headers = ["X-Service-Token": "\(Planted.mark)k0z"]
        options.parameters = ["service_token": "\(Planted.mark)k1z"]
    }

    /// A call with a secret under every name, in every place of a request.
    var endpoint: InlineEndpoint<Number> { endpoint(InlineEndpoint<Number>.decoded) }

    func endpoint<Value>(_ landing: Landing<Value>) -> InlineEndpoint<Value> {
        var list = ParameterList(Planted.pairs("q").map { Parameter($0.name, .string($0.value), placement: .query) })
        list = ParameterList(
            Array(list) + [
                Parameter("marked", .string("\(Planted.mark)m0z"), placement: .query, isSecret: true),
                Parameter("door", .string("\(Planted.mark)m1z"), placement: .path, isSecret: true),
                Parameter("shoe_size", .string("\(Planted.mark)u0z"), placement: .query),
            ])
        if body == .json || body == .form {
            let fields = Planted.pairs("b").map { Parameter($0.name, .string($0.value), placement: .field) }
            list = ParameterList(
                Array(list) + fields + [
                    Parameter("nested", .object(body == .json ? fields : Array(fields.prefix(20))), placement: .field),
                    Parameter("marked2", .string("\(Planted.mark)m2z"), placement: .field, isSecret: true),
                    Parameter("shoe-size2", .string("harmless"), placement: .field), Parameter("shoeSize", .string("\(Planted.mark)u1z"), placement: .field),
                ] + Planted.shapes.enumerated().map { Parameter("note\($0)", .string($1), placement: .field) })
        }
        let route: Route = body == .none ? .get("/things/{door}") : .post("/things/{door}")
        return InlineEndpoint(route, list, body: sentBody, landing: landing).with { options in
            options.bodyFormat = body == .form ? .form : .json
            for (name, value) in Planted.fields("h") { options.headers[name] = value }
            for (number, value) in Planted.shapes.enumerated() { options.headers["X-Note-\(number)"] = value }
        }
    }

    private var sentBody: Body? {
        switch body {
        case .none, .json, .form: nil
        case .multipart: try? .multipart(Planted.pairs("b").map { Multipart.Part.field($0.name, $0.value) }, boundary: "b")
        case .text: .text(Planted.pairs("b").map { "\($0.name)=\($0.value)" }.joined(separator: "\n") + "\n" + Planted.shapes.joined(separator: "\n"))
        }
    }

    /// What the call has left behind, with the errors and values it gave.
    func trace(_ errors: [any Error] = [], _ results: [Any] = []) async -> MaskedTrace {
        var trace = MaskedTrace(client: client, endpoint: endpoint, errors: errors, results: results)
        trace.events = recorder.events
        trace.lines = lines.value
        trace.requests = stub.requests
        trace.cassettes = [tape.cassette]
        trace.hooks = hooked.value
        trace.logs = [log]
        return trace
    }

    /// Sends the call, and returns what it left behind.
    func send(_ fly: (Client, InlineEndpoint<Number>) async throws -> Any) async -> MaskedTrace {
        // What is asked about a call before it ends.
        let explanation = client.explain(endpoint), preview = try? client.request(for: endpoint)
        var trace: MaskedTrace
        do {
            let value = try await fly(client, endpoint)
            trace = await self.trace([], [value])
        } catch { trace = await self.trace([error]) }
        trace.explanations = [explanation]
        trace.previews = preview.map { [$0] } ?? []
        return trace
    }
}

extension InlineEndpoint where Value == Number {
    static var decoded: Landing<Number> { InlineEndpoint<Number>.get("/", as: Number.self).landing }
}
