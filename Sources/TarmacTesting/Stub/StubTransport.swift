import HTTPTypes
@_spi(TarmacRooms) public import TarmacCore

/// A transport whose responses come from the test itself, without sockets, threads or time.
///
/// It records every request, obeys ``Exchange`` as a real transport does, and can hold back its responses, so that a
/// test can rely on a call being in progress.
///
/// ```swift
/// let stub = StubTransport { _ in .json("{}") }
/// stub.hold()
/// let call = Task { try await client.send(endpoint) }
/// try await stub.received(count: 1)
/// stub.release()
/// ```
public final class StubTransport: Transport {
    /// The state that all transports of one stub share.
    private struct Journal {
        var recorded: [Request] = []
        var inFlight = 0
        var shutdowns = 0
        /// The number of responses that may still be delivered; `nil` if none are held.
        var allowed: Int?
    }
    private struct Pool {
        var flights: [Int: PendingAnswer] = [:]
        var arrivals = 0
        var isShutDown = false
    }
    private struct PendingAnswer {
        let race: Race<Response>
        let ending: Ending
    }

    public let name: String
    public let capabilities: TransportCapabilities
    private let answer: StubRoute.Answer
    private let journal: Watched<Journal>
    private let pool = Watched(Pool())

    /// Creates a stub with one answer for all requests.
    ///
    /// - Parameters:
    ///   - name: The name of the transport. Default: `stub`.
    ///   - capabilities: The capabilities of the transport. Default: all but decoding content.
    ///   - answer: Returns the response to an exchange, or throws an error of a transport. It runs once for each
    ///     exchange.
    public init(
        name: String = "stub", capabilities: TransportCapabilities = .everything, answer: @escaping StubRoute.Answer
    ) {
        self.name = name
        self.capabilities = capabilities
        self.answer = answer
        journal = Watched(Journal())
    }

    private init(sharing other: StubTransport) {
        name = other.name
        capabilities = other.capabilities
        answer = other.answer
        journal = other.journal
    }

    /// Returns a transport with its own life that shares answers, records and holds with this one.
    func sibling() -> StubTransport { StubTransport(sharing: self) }

    /// Creates a stub that answers by method and path; a request without a route throws `.unsupported`, which names it.
    public convenience init(
        name: String = "stub", capabilities: TransportCapabilities = .everything, routes: [StubRoute]
    ) {
        self.init(name: name, capabilities: capabilities) { request in
            guard let route = routes.first(where: { $0.matches(request) }) else {
                throw TarmacError(.unsupported, phase: .sending, "the stub has no route for \(request)")
            }
            return try await route.answer(request)
        }
    }

    // MARK: For tests

    /// The requests so far in order of arrival, with bodies collected into bytes.
    public var requests: [Request] { journal.value.recorded }

    /// The number of exchanges that have neither been answered nor ended.
    public var inFlight: Int { journal.value.inFlight }

    /// The number of shutdowns among the transports that a factory made over this stub.
    public var shutdowns: Int { journal.value.shutdowns }

    /// Returns the requests once at least `count` have arrived; throws `CancellationError` when cancelled.
    @discardableResult
    public func received(count: Int = 1) async throws -> [Request] {
        try await journal.wait { $0.recorded.count >= count }.recorded
    }

    /// Waits until no exchange is in progress; throws `CancellationError` when cancelled.
    public func isIdle() async throws {
        try await journal.wait { $0.inFlight == 0 }
    }

    /// Holds back responses until ``release(_:)``.
    public func hold() {
        journal.update { $0.allowed = $0.allowed ?? 0 }
    }

    /// Releases the given number of responses, or all of them including future ones.
    public func release(_ count: Int? = nil) {
        journal.update { journal in
            journal.allowed = count.flatMap { count in journal.allowed.map { $0 + count } }
        }
    }

    // MARK: Transport

    public func send(_ request: Request, exchange: Exchange) async throws -> Response {
        let flight = PendingAnswer(race: Race(), ending: Ending(exchange))
        guard let id = board(flight) else {
            flight.ending.end()
            throw Self.shutDown
        }
        defer { land(id) }
        // Before the task: the answer may come at once, and the source of its body then takes the abort over.
        exchange.onAbort { flight.race.finish(.failure($0.error)) }
        // LIFETIME: ends with the answer; an abort or the shutdown cancels it below.
        let task = Task { await self.fly(request, flight) }
        do {
            return try await flight.race.value
        } catch {
            task.cancel()
            flight.ending.end()
            throw error
        }
    }

    public func shutdown() async {
        let flights = pool.update { pool in
            pool.isShutDown = true
            return pool.flights.values
        }
        for flight in flights { flight.race.finish(.failure(Self.shutDown)) }
        _ = try? await pool.wait { $0.flights.isEmpty }
        journal.update { $0.shutdowns += 1 }
    }

    private static var shutDown: TarmacError {
        TarmacError(.clientShutDown, phase: .connecting, "the transport is shut down")
    }

    private func board(_ flight: PendingAnswer) -> Int? {
        let id = pool.update { pool -> Int? in
            guard !pool.isShutDown else { return nil }
            pool.arrivals += 1
            pool.flights[pool.arrivals] = flight
            return pool.arrivals
        }
        if id != nil { journal.update { $0.inFlight += 1 } }
        return id
    }

    private func land(_ id: Int) {
        journal.update { $0.inFlight -= 1 }
        pool.update { $0.flights[id] = nil }
    }

    private func fly(_ request: Request, _ flight: PendingAnswer) async {
        flight.race.finish(await Result { try await self.response(to: request, flight) })
    }

    private func response(to request: Request, _ flight: PendingAnswer) async throws -> Response {
        flight.ending.report(.connected(isReused: !requests.isEmpty))
        // An aborted request may be sent again, so it must not be answered as well.
        if let reason = flight.ending.exchange.abortReason { throw reason.error }
        flight.ending.report(.sentHead)
        let recorded = try await collect(request, flight)
        flight.ending.report(.sentAll)
        journal.update { $0.recorded.append(recorded) }
        try await waitForRelease()
        return try await deliver(try await answer(recorded), recorded, flight)
    }

    private func collect(_ request: Request, _ flight: PendingAnswer) async throws -> Request {
        guard let body = try await request.body.collected() else { return request }
        flight.ending.report(.sentBody(bytes: body.count))
        guard request.body.length == nil || request.body.length == Int64(body.count) else {
            throw TarmacError(.invalidParameter, phase: .sending, "the body's length differs from the one it states")
        }
        var request = request
        request.body = .bytes(body, contentType: request.body.contentType)
        return request
    }

    private func waitForRelease() async throws {
        while true {
            try await journal.wait { $0.allowed != 0 }
            let isAllowed = journal.update { journal in
                guard let allowed = journal.allowed else { return true }
                guard allowed > 0 else { return false }
                journal.allowed = allowed - 1
                return true
            }
            if isAllowed { return }
        }
    }

    private func deliver(_ response: Response, _ request: Request, _ flight: PendingAnswer) async throws -> Response {
        var response = response
        if response.url == Response.stubURL { response.url = request.url }
        flight.ending.report(.receivedHead)
        switch flight.ending.exchange.delivery {
        case .streamed:
            let source = StubStreamSource(response.body, ending: flight.ending)
            response.body = .stream(ByteStream { source })
        case .collected(let limit):
            response.body = .bytes(try await response.body.collect(limit, flight.ending))
            flight.ending.end()
        }
        return response
    }
}

extension TransportCapabilities {
    /// All capabilities but `.decodesContent`, which is a limitation.
    public static let everything: TransportCapabilities = [
        .backPressure, .informationalResponses, .trailers, .separateHeaders, .protocolVersion, .unknownLengthBodies,
        .resendsOnStaleConnection, .connectionReports, .headerOrder, .bodyWithAnyMethod, .http2, .networkAccess,
    ]
}

extension TransportFactory {
    /// Returns a factory over one stub. Its transports are shut down separately, and share records and holds.
    public static func stub(_ transport: StubTransport) -> TransportFactory {
        TransportFactory(name: transport.name) { _ in transport.sibling() }
    }

    /// Returns a factory over a stub with one answer for all requests: `.stub { request in .json("{}") }`.
    public static func stub(_ answer: @escaping StubRoute.Answer) -> TransportFactory {
        .stub(StubTransport(answer: answer))
    }
}
