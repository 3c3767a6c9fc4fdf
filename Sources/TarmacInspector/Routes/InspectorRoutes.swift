#if Inspector
import TarmacCore
import TarmacJSON
import TarmacLog

/// Answers the requests that the gate lets pass.
struct InspectorRoutes: Sendable {
    let calls: CallSource
    let desk: ClientDesk?
    let feed: Feed
    let listening: Inspector.Listening

    nonisolated(nonsending) func answer(_ request: InspectorRequest, _ path: InspectorPath, body: [UInt8]) async -> Answer {
        switch path {
        case .page: .page()
        case .events: feed.open().map { .events(FeedStream(session: $0, calls: calls)) } ?? .refused(503, "too many pages are open")
        case .state: .json(state)
        case .calls: .json(calls.summaries)
        case .call: call(request.query("id")).map { .json(Self.details($0)) } ?? .refused(404, Self.gone)
        case .search: .json(calls.search(String((request.query("text") ?? "").prefix(Self.longestSearch))))
        case .har: .har(calls.har.bytes.array)
        case .settings: desk?.settings(of: request.query("service") ?? "").map { .json($0) } ?? .refused(404, "the client does not list this service")
        case .clear, .pause, .resend, .environment: await act(path, body)
        }
    }

    private nonisolated(nonsending) func act(_ path: InspectorPath, _ body: [UInt8]) async -> Answer {
        guard let order = try? TarmacJSONDecoder().decode(Order.self, from: body) else { return .refused(400, "the body is not what this path takes") }
        switch path {
        case .clear:
            guard let log = calls.log else { return .refused(409, "a file cannot be cleared") }
            log.clear()
        case .pause:
            guard let log = calls.log, let isPaused = order.paused else { return .refused(409, "there is no log to pause") }
            log.isPaused = isPaused
        case .environment:
            guard desk?.switchEnvironment(to: order.name ?? "") == true else { return .refused(409, "the inspector was not given this environment") }
        default: return await resend(order.id)
        }
        return .json(state)
    }

    private nonisolated(nonsending) func resend(_ id: UInt64?) async -> Answer {
        guard let desk, calls.log != nil else { return .refused(409, "the inspector was given no client, so it cannot send") }
        guard let entry = id.flatMap(calls.entry) else { return .refused(404, Self.gone) }
        do { return .json(try await desk.resend(entry)) } catch { return .refused(409, error.text) }
    }

    private static let longestSearch = 256
    private static let gone = "the log does not have the call any more"

    /// The call, and its last request as a curl command.
    private static func details(_ entry: CallLog.Entry) -> [UInt8] {
        Array("{\"entry\":".utf8) + entry.json + Array(",\"curl\":".utf8) + PageJSON.bytes(entry.curl) + Array("}".utf8)
    }

    private func call(_ id: String?) -> CallLog.Entry? { id.flatMap { UInt64($0) }.flatMap(calls.entry) }

    /// The members that one of the actions takes.
    private struct Order: Decodable {
        var id: UInt64?
        var paused: Bool?
        var name: String?
    }

    private var state: PageState {
        PageState(
            isLive: calls.log != nil, isPaused: calls.log?.isPaused ?? false, canSend: desk != nil && calls.log != nil, last: calls.log?.last,
            environment: desk?.client.environment.name, environments: desk?.environments.map(\.name) ?? [], warning: listening.reason)
    }
}

/// What the page needs to know besides the calls.
struct PageState: Encodable, Sendable {
    let isLive: Bool
    let isPaused: Bool
    let canSend: Bool
    let last: Int?
    let environment: String?
    let environments: [String]
    /// Why other machines may reach the page.
    let warning: String?
}

/// An answer of the server.
struct Answer: Sendable {
    enum Content: Sendable {
        case bytes([UInt8])
        case events(FeedStream)
    }
    let status: Int
    let headers: [(String, String)]
    let content: Content

    private init(_ status: Int = 200, type: String, nonce: String? = nil, more: [(String, String)] = [], _ content: Content) {
        (self.status, self.content) = (status, content)
        headers = ResponseHeaders.all(nonce: nonce) + [("Content-Type", type)] + more
    }

    static func page() -> Answer {
        let nonce = AccessToken().text
        return Answer(type: "text/html; charset=utf-8", nonce: nonce, .bytes(Array(Page.html(nonce: nonce).utf8)))
    }

    static func json(_ bytes: [UInt8]) -> Answer { Answer(type: "application/json", .bytes(bytes)) }
    static func json(_ value: some Encodable) -> Answer { json(PageJSON.bytes(value)) }
    static func events(_ stream: FeedStream) -> Answer { Answer(type: "text/event-stream", .events(stream)) }

    static func har(_ bytes: [UInt8]) -> Answer {
        Answer(type: "application/json", more: [("Content-Disposition", "attachment; filename=\"calls.har\"")], .bytes(bytes))
    }

    static func refused(_ refusal: Refusal) -> Answer { refused(refusal.status, refusal.reason, refusal.headers) }

    static func refused(_ status: Int, _ reason: String, _ more: [(String, String)] = []) -> Answer {
        Answer(status, type: "application/json", more: more, .bytes(PageJSON.bytes(["reason": reason])))
    }
}
#endif
