// swift-format-ignore-file
// Laid out as the READMEs show it.
// The call sites of streams and pages.
import Tarmac
import TarmacStreams
import TarmacTesting
import Testing

struct Chat: Endpoint, Encodable {
    typealias Value = Void
    static let route: Route = .post("/chat")
    var prompt: String
    func configure(_ options: inout Options) { options.events = .once { $0.endMarker = "[DONE]" } }
}

struct Delta: Codable, Sendable { var text: String }
struct ProductPage: Codable, Sendable {
    var items: [String]
    var next: String?
}

struct ListPages: PagedEndpoint, Encodable {
    typealias Value = ProductPage
    static let route: Route = .get("/products")
    var after: String?
    func next(after page: Landed<ProductPage>) -> ListPages? { page.value.next.map { ListPages(after: $0) } }
}

enum ChatStep: Sendable { case began, text(String) }

func streams(_ client: Client) async throws -> [String] {
    var seen: [String] = []
    for try await event in client.events(Chat(prompt: "hi")) { seen.append(event.data) }
    for try await delta in client.events(Chat(prompt: "hi"), as: Delta.self) { seen.append(delta.text) }
    let steps = EventTable<ChatStep>()
        .on("message_start") { _ in .began }
        .on("message", as: Delta.self) { .text($0.text) }
        .ignoringOthers()
    for try await step in client.events(Chat(prompt: "hi"), by: steps) { if case .text(let text) = step { seen.append(text) } }
    return seen
}

func linesAndPages(_ client: Client) async throws -> [String] {
    var seen: [String] = []
    for try await row in client.records(.get("/export"), of: Delta.self) { seen.append(row.text) }
    for try await line in client.lines(.get("/export")) { seen.append(line) }
    for try await product in client.pages(of: ListPages()).elements(\.items) { seen.append(product) }
    for try await page in client.pages(of: .get("/repos", as: [String].self)) { seen += page.value }  // Link header
    return seen
}

@Suite("Call sites of streams and pages")
struct StreamCallSiteTests {
    @Test func streamsRead() async throws {
        let client = Client(transport: .stub { _ in .events("data: {\"text\":\"a\"}\n\ndata: [DONE]\n\n") }, services: [.shop])
        #expect(try await streams(client) == [#"{"text":"a"}"#, "a", "a"])
    }

    @Test func linesAndPagesRead() async throws {
        let client = Client(
            transport: .stub {
                switch $0.url.path {
                case "/export": .chunks(["{\"text\":\"a\"}\n{\"te", "xt\":\"b\"}"])
                case "/repos": .json(#"["r"]"#)
                default: $0.url.query == nil ? .json(#"{"items":["p"],"next":"2"}"#) : .json(#"{"items":["q"]}"#)
                }
            }, services: [Service("plain", host: "https://plain.example")])
        #expect(try await linesAndPages(client) == ["a", "b", #"{"text":"a"}"#, #"{"text":"b"}"#, "p", "q", "r"])
    }
}
