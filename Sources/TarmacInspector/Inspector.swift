#if Inspector
public import TarmacCore
public import TarmacCallLog
public import TarmacHAR

/// A page in the browser that shows the calls of a log while they happen.
///
/// ```swift
/// let log = CallLog(last: 1_000, bodies: .first(.kib(64)))
/// let client = Client(transport: .asyncHTTPClient, services: [.shop]) { $0.log = log }
/// let inspector = try await Inspector(log, client: client)
/// print(inspector.url)                      // open it in a browser
/// await inspector.stop()
/// ```
/// The server is reachable from this machine alone, and only with the token of the URL: who has the URL sees all calls and can send them
/// again, so do not log it. The page shows what the log gives, with secrets masked. In release builds the inspector does not start unless
/// `allowsReleaseBuilds` is `true`. Documentation/Inspector.md says what the page does.
public final class Inspector: Sendable {
    /// The address of the page, with its token, on this machine.
    ///
    /// From another machine, put an address of this one in place of 127.0.0.1 if ``listening`` allows it, or forward the port to the same port
    /// there: `ssh -L 8079:127.0.0.1:8079 server.example`.
    public let url: String
    /// The addresses at which the page is reachable.
    public let listening: Listening
    private let server: InspectorServer
    private let following: Task<Void, Never>?
    private let desk: ClientActions?

    /// Starts an inspector over a log.
    ///
    /// - Parameters:
    ///   - log: the log whose calls the page shows.
    ///   - client: sends calls again, explains its settings and switches its environment on the page's demand. The inspector keeps it alive.
    ///     Default: none, so that the page only shows.
    ///   - environments: the environments that the page may switch the client to. Default: none.
    ///   - faults: lets the page delay or fail the requests of a service, take it offline, or answer an endpoint; it must also be one of the client's
    ///     `attemptInterceptors`. Default: none, so that the page cannot change a call of the app.
    ///   - hosts: lets the page send the calls of a service to another of its hosts; it must also be one of the client's `interceptors`.
    ///     Default: none.
    ///   - port: the port. Default: 0, a free one.
    ///   - listening: the addresses. Default: this machine alone.
    ///   - allowsReleaseBuilds: whether it starts in a build with optimization. Default: `false`.
    /// - Throws: `TarmacError(.invalidOption)` in a release build, if the port is not available, if there are faults or hosts and no
    ///   client, or if the reason of `listening` is blank; `CancellationError` if the task is cancelled.
    public convenience init(
        _ log: CallLog, client: Client? = nil, environments: [ServiceEnvironment] = [], faults: FaultControls? = nil,
        hosts: HostControls? = nil, port: UInt16 = 0, listening: Listening = .loopback, allowsReleaseBuilds: Bool = false
    ) async throws {
        if client == nil, faults != nil || hosts != nil { throw TarmacError(.invalidOption, "the inspector was given faults or hosts and no client") }
        let desk = client.map { ClientActions(client: $0, environments: environments, faults: faults, hosts: hosts) }
        try await self.init(.log(log), desk, port, listening, BuildKind.isDebug || allowsReleaseBuilds)
    }

    /// Starts an inspector as in a build of another kind. For tests.
    package convenience init(_ log: CallLog, isDebugBuild: Bool, allowsReleaseBuilds: Bool = false) async throws {
        try await self.init(.log(log), nil, 0, .loopback, isDebugBuild || allowsReleaseBuilds)
    }

    /// Starts an inspector over the calls of an archive.
    public convenience init(
        _ archive: HAR, port: UInt16 = 0, listening: Listening = .loopback, allowsReleaseBuilds: Bool = false
    ) async throws {
        try await self.init(.file(archive.entries), nil, port, listening, BuildKind.isDebug || allowsReleaseBuilds)
    }

    private init(_ calls: CallSource, _ desk: ClientActions?, _ port: UInt16, _ listening: Listening, _ mayStart: Bool) async throws {
        guard mayStart else {
            throw TarmacError(
                .invalidOption, "the inspector does not start in a release build", suggestion: "pass allowsReleaseBuilds: true if it is meant")
        }
        if listening.reason?.allSatisfy(\.isWhitespace) == true {
            throw TarmacError(.invalidOption, "the inspector is open to the network for no reason", suggestion: "say it in because:")
        }
        let token = AccessToken(), feed = Feed(), isPublic = listening.reason != nil
        // Before a page can load, so that it misses no change.
        let updates = calls.log?.updates
        let routes = InspectorRoutes(calls: calls, desk: desk, feed: feed, listening: listening)
        server = try await InspectorServer(port: port, isPublic: isPublic) { port in
            let gate = Gate(token: token, port: port, isPublic: isPublic)
            return InspectorServer.Handler { request in
                gate.refusal(of: request).map { refusal in
                    refusal.code == .wrongToken && request.path == InspectorPath.page.rawValue && request.method == "GET"
                        ? .lockedPage() : .refused(refusal, isLast: true)
                }
            } answer: { request, body in
                guard let path = InspectorPath(rawValue: request.path), let body else {
                    return .refused(Refusal(400, .brokenBody, "the body broke off"), isLast: true)
                }
                return await routes.answer(request, path, body: body)
            }
        }
        url = "http://127.0.0.1:\(server.port)/?token=\(token.text)"
        self.listening = listening
        self.desk = desk
        // LIFETIME: `stop` ends it, or `deinit`.
        following = updates.map { updates in Task { await feed.follow(updates) } }
    }

    deinit { endEffects() }

    /// Ends all faults and choices of hosts, closes all connections, and returns when they are closed.
    public func stop() async {
        endEffects()
        await server.stop()
    }

    private func endEffects() {
        following?.cancel()
        desk?.faults?.clear()
        desk?.hosts?.clear()
    }
}

extension Inspector: MaskedReflectable {
    /// The address without the token.
    public var description: String { "inspector on port \(server.port), \(listening)" }
}
#endif
