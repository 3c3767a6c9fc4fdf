#if Inspector
import TarmacCore
import TarmacHAR
import TarmacJSON
import TarmacCallLog

/// Answers the requests that the gate lets pass.
struct InspectorRoutes: Sendable {
    let calls: CallSource
    let desk: ClientActions?
    let feed: Feed
    let listening: Inspector.Listening

    nonisolated(nonsending) func answer(_ request: InspectorRequest, _ path: InspectorPath, body: [UInt8]) async -> Answer {
        do {
            return try await result(request, path, body)
        } catch { return .refused(error) }
    }

    private nonisolated(nonsending) func result(_ request: InspectorRequest, _ path: InspectorPath, _ body: [UInt8]) async throws(Refusal) -> Answer {
        switch path {
        case .page: return .page()
        case .events: return .events(try stream())
        case .state: return .json(state)
        case .calls: return .json(calls.summaries)
        case .call: return .json(Self.details(try call(request.query("id").flatMap { UInt64($0) })))
        case .search: return .json(calls.search(String((request.query("text") ?? "").prefix(Self.longestSearch))))
        case .har: return .har(calls.har.bytes.array)
        case .settings: return .json(try settings(of: request.query("service") ?? ""))
        case .clear, .pause, .resend, .environment, .fault, .answer, .host: return try await act(path, body)
        }
    }

    private nonisolated(nonsending) func act(_ path: InspectorPath, _ body: [UInt8]) async throws(Refusal) -> Answer {
        guard let order = try? TarmacJSONDecoder().decode(Order.self, from: body) else {
            throw Refusal(400, .unreadableOrder, "the body is not what this path takes")
        }
        switch path {
        case .clear: try clear()
        case .pause: try pause(order.paused)
        case .environment:
            guard desk?.switchEnvironment(to: order.name ?? "") == true else {
                throw Refusal(409, .unknownEnvironment, "the inspector was not given this environment")
            }
        case .fault: try sendingDesk().set(fault: order.fault, of: order.service ?? "")
        case .answer: try sendingDesk().set(answer: order.answer, of: order.service ?? "", order.name ?? "")
        case .host: try sendingDesk().set(host: order.name, of: order.service ?? "")
        default: return .json(try await sendingDesk().resend(try call(order.id), isConfirmed: order.confirmed ?? false))
        }
        return .json(state)
    }

    private func clear() throws(Refusal) {
        guard let log = calls.log else { throw Refusal(409, .isFile, "a file cannot be cleared") }
        log.clear()
    }

    private func pause(_ isPaused: Bool?) throws(Refusal) {
        guard let log = calls.log, let isPaused else { throw Refusal(409, .nothingToPause, "there is no log to pause") }
        log.isPaused = isPaused
    }

    private func sendingDesk() throws(Refusal) -> ClientActions {
        guard let desk, calls.log != nil else { throw Refusal(409, .noClient, "the inspector was given no client, so it cannot send") }
        return desk
    }

    private func stream() throws(Refusal) -> FeedStream {
        guard let session = feed.open() else {
            throw Refusal(503, .tooManyPages, "\(Feed.mostReaders) pages are open, and there may not be more", value: "\(Feed.mostReaders)")
        }
        return FeedStream(session: session, calls: calls)
    }

    private func settings(of service: String) throws(Refusal) -> ClientActions.Settings {
        guard let settings = desk?.settings(of: service) else { throw .unknownService(service, status: 404) }
        return settings
    }

    private func call(_ id: UInt64?) throws(Refusal) -> CallLog.Entry {
        guard let entry = id.flatMap(calls.entry) else { throw .gone }
        return entry
    }

    private static let longestSearch = 256

    /// The call, and its last request as a curl command.
    private static func details(_ entry: CallLog.Entry) -> [UInt8] {
        Array("{\"entry\":".utf8) + entry.json + Array(",\"curl\":".utf8) + PageJSON.bytes(entry.curl) + Array("}".utf8)
    }

    /// The members that one of the actions takes.
    private struct Order: Decodable {
        var id: UInt64?
        var paused: Bool?
        var name: String?
        var service: String?
        var fault: String?
        var answer: EndpointAnswer?
        var confirmed: Bool?
    }

    private var state: PageState {
        PageState(
            isLive: calls.log != nil, isPaused: calls.log?.isPaused ?? false, canSend: desk != nil && calls.log != nil, last: calls.log?.last,
            environment: desk?.client.environment.name, environments: desk?.environments.map(\.name) ?? [],
            faults: desk?.faults?.active.mapValues(\.text), answers: desk?.faults?.written ?? [], hosts: desk?.hosts.map { PageState.Hosts($0) },
            pages: Feed.mostReaders, pagesLeft: feed.placesLeft, warning: listening.reason)
    }
}
#endif
