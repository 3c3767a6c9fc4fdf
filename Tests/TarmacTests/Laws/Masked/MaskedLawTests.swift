import HTTPTypes
import Testing

import Tarmac
import TarmacPresentation
@testable import TarmacTesting

/// Law 9 over names, places, outcomes and outputs: a planted value comes out nowhere.
///
/// One call plants a secret under every name in every place of its request and of its answers. Each outcome is looked at
/// through every output of ``MaskedOutput/all``, which `scripts/support/outputs.txt` keeps complete.
@Suite("Law 9: every name, place, outcome and output", .timeLimit(.minutes(5)))
struct MaskedLawTests {
    @Test(arguments: MaskedOutcome.allCases)
    func noPlantedValueComesOut(outcome: MaskedOutcome) async throws {
        for body in outcome.bodies { try await check(outcome, body) }
    }

    private func check(_ outcome: MaskedOutcome, _ body: MaskedBody) async throws {
        let trace = try await outcome.run(body)
        let isPlanted = trace.requests.contains { $0.url.string.contains(Planted.mark) || $0.headers.contains { $0.value.contains(Planted.mark) } }
        #expect(isPlanted, "nothing was planted")
        for output in MaskedOutput.all where !output.isSample || outcome == .landed {
            let shown = try output.values(trace).flatMap { ($0 as? String).map { [$0] } ?? Shown.texts($0) }
            let found = shown.reduce(into: Set<String>()) { $0.formUnion(Planted.found(in: $1)) }
            let list = found.sorted().prefix(12).joined(separator: ", ")
            if !found.isEmpty { Issue.record("\(outcome), \(body): \(output.name) shows \(found.count) secrets: \(list)") }
        }
        await trace.client?.shutdown()
    }

    /// An output that no outcome reaches would hold the law without being looked at.
    @Test func everyOutputIsReached() async throws {
        var traces: [MaskedTrace] = []
        for outcome in MaskedOutcome.allCases { traces.append(try await outcome.run(.none)) }
        for output in MaskedOutput.all {
            #expect(try traces.contains { try !output.values($0).isEmpty }, "\(output.name)")
        }
        #expect(Set(MaskedOutput.all.map(\.name)).count == MaskedOutput.all.count)
    }

    /// The look at a text finds what it is meant to find.
    @Test func theLookFindsAValueInEveryForm() {
        #expect(Planted.found(in: "a=hunter2q0z&b=hunter2h1z") == ["q:password", "h:Proxy-Authorization"])
        #expect(Planted.found(in: "%68%75%6E%74%65%72%32q0z").count == 1)
        for text in ["aHVudGVyMnEweg==", "eGh1bnRlcjJxMHo=", "eHhodW50ZXIycTB6"] { #expect(!Planted.found(in: text).isEmpty, "\(text)") }
        #expect(Planted.found(in: "hunter ‹masked›").isEmpty)
    }
}

/// The other side of the law: a name that only looks like a secret's hides nothing.
@Suite("Law 9: harmless names stay readable", .timeLimit(.minutes(5)))
struct ReadableLawTests {
    /// Under a counting name a number is harmless, and a text may not be.
    private static func value(_ number: Int, _ list: [String]) -> String { list[number].hasSuffix("_tokens") ? "8\(number)40" : "plain\(number)end" }

    private static let pairs = Planted.harmless.indices.map { (Planted.harmless[$0], value($0, Planted.harmless)) }

    private func check(_ text: String, _ place: String, _ list: [String] = Planted.harmless, sourceLocation: SourceLocation = #_sourceLocation) {
        let hidden = list.enumerated().filter { !text.contains(Self.value($0.offset, list)) }.map(\.element)
        #expect(hidden.isEmpty, "\(place) hides \(hidden.joined(separator: ", "))", sourceLocation: sourceLocation)
    }

    private func endpoint(_ format: BodyFormat, _ placement: Parameter.Placement) -> InlineEndpoint<Number> {
        let list = ParameterList(Self.pairs.map { Parameter($0.0, .string($0.1), placement: placement) })
        return InlineEndpoint(placement == .query ? .get("/a") : .post("/a"), list, landing: InlineEndpoint<Number>.decoded).with { options in
            options.bodyFormat = format
            for (number, name) in Planted.harmlessHeaders.enumerated() { options.headers[name] = Self.value(number, Planted.harmlessHeaders) }
        }
    }

    @Test func inQueriesAndErrorsAndEvents() async throws {
        let recorder = EventRecorder(), lines = Watched<[String]>([]), tape = CassetteRecorder()
        let stub = StubTransport { _ in .status(.badRequest) }
        let client = Client(transport: .recording(.stub(stub), on: tape), services: [Service("s", host: "https://s.example")]) {
            $0.observers = [recorder, ConsoleLogger(.everything) { line in lines.update { $0.append(line) } }]
        }
        let endpoint = endpoint(.json, .query)
        let error = try #require(await failure { _ = try await client.send(endpoint) })
        check(client.explain(endpoint).description, "explain")
        check(error.description, "the error")
        check(lines.value.joined(separator: "\n"), "the log")
        for event in recorder.events {
            if case .started(let request) = event.kind { check(request, "the event") }
        }
        check(String(decoding: try tape.cassette.har, as: UTF8.self), "the cassette")
        let command = CurlPrinter().command(for: try client.request(for: endpoint))
        check(command, "cURL")
        check(command, "cURL, headers", Planted.harmlessHeaders)
    }

    @Test(arguments: [BodyFormat.json, .form])
    func inBodies(format: BodyFormat) async throws {
        let tape = CassetteRecorder()
        let answer = "{" + Self.pairs.map { #""\#($0.0)":"\#($0.1)""# }.joined(separator: ",") + "}"
        let client = Client(transport: .recording(.stub(StubTransport { _ in .json(answer) }), on: tape), services: [Service("s", host: "https://s.example")])
        let endpoint = endpoint(format, .field)
        check(CurlPrinter().command(for: try client.request(for: endpoint)), "cURL")
        _ = await failure { _ = try await client.send(endpoint) }
        let entries = tape.cassette.entries
        check(entries[0].request.postData?.text ?? "", "the cassette, request")
        check(entries[0].response.content.text ?? "", "the cassette, answer")
    }
}

/// What is shown on the main actor alone.
@MainActor
@Suite("Law 9: presented errors", .timeLimit(.minutes(5)))
struct MaskedPresentationTests {
    @Test func aPresentedErrorShowsNoPlantedValue() async throws {
        let shown = Watched<[String]>([])
        let client = Client(StubTransport { _ in .text("no \(Planted.mark)q0z", status: .badRequest) }) {
            $0.presenter = ClosurePresenter(error: { error in shown.update { $0 += Shown.texts(error) + [error.message] } })
        }
        _ = await failure { _ = try await client.send(.get("/a", ["authToken": "\(Planted.mark)q0z"], as: Number.self)) }
        #expect(shown.value.count > 2)
        for text in shown.value { #expect(Planted.found(in: text).isEmpty, "\(text)") }
    }
}
