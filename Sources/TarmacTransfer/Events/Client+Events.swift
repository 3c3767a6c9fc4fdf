public import TarmacCore

extension Client {
    /// The Server-Sent Events (WHATWG HTML §9.2) an endpoint answers with, whatever its method.
    ///
    /// ```swift
    /// for try await event in client.events(Chat(prompt)) { show(event.data) }
    /// for try await event in client.events(News(), after: stored.lastEventID) { … }
    /// ```
    /// The stream is one call: it has the settings, credentials, redirects, hooks and errors of any other, its
    /// ``Options/deadline`` is for the whole of it, ``Options/timeout`` for each head, and ``Options/idleTimeout`` for each gap
    /// between bytes while the loop waits for one; raise it where a server sends no comments to keep the connection. A
    /// connection that ends is followed by another, as ``Options/events`` says, and each is told as ``CallEvent/Kind/reconnecting(after:because:)``.
    /// The sequence keeps its client alive. A service has 4,096 streams open at most, and they take neither slots nor connections from its other calls.
    ///
    /// - Parameters:
    ///   - lastEventID: the id of the event to go on after. Default: none.
    ///   - configure: the call's own layer of settings.
    /// - Returns: a sequence that throws `TarmacError` or `CancellationError`: `.unacceptableStatus`,
    ///   `.unacceptableContentType`, `.recordTooLarge` beyond ``Options/maximumRecordSize``, and what any call fails with.
    public func events<E: Endpoint>(_ endpoint: E, after lastEventID: String = "", configure: (inout Options) -> Void = { _ in }) -> EventStream {
        EventStream(lastEventID: lastEventID, launch: flight(endpoint, .events, lastEventID, configure))
    }

    /// The same with the data of each event decoded by ``Options/decoder``.
    ///
    /// ```swift
    /// for try await delta in client.events(Chat(prompt), as: Delta.self) { … }
    /// ```
    /// - Parameters:
    ///   - names: the events that are decoded; others are passed over. Default: all.
    ///   - damaged: what becomes of an event that cannot be decoded. Default: it ends the stream with its error.
    public func events<E: Endpoint, Value: Decodable & Sendable>(
        _ endpoint: E, as type: Value.Type, named names: Set<String>? = nil, after lastEventID: String = "", damaged: DamagedRecords = .fail,
        configure: (inout Options) -> Void = { _ in }
    ) -> RecordStream<Value> {
        decodedEvents(endpoint, lastEventID, damaged, configure) { event, opening in
            guard names?.contains(event.name) ?? true else { return nil }
            return try opening.payload(of: Bytes(event.data)).decode(Value.self)
        }
    }

    /// The same with each event made into a value by the line of a table that its name has.
    public func events<E: Endpoint, Value: Sendable>(
        _ endpoint: E, by table: EventTable<Value>, after lastEventID: String = "", damaged: DamagedRecords = .fail,
        configure: (inout Options) -> Void = { _ in }
    ) -> RecordStream<Value> {
        decodedEvents(endpoint, lastEventID, damaged, configure) { try table.value(of: $0, from: $1) }
    }

    private func decodedEvents<E: Endpoint, Value: Sendable>(
        _ endpoint: E, _ lastEventID: String, _ damaged: DamagedRecords, _ configure: (inout Options) -> Void,
        decode: @escaping @Sendable (ServerSentEvent, StreamOpening) throws -> Value?
    ) -> RecordStream<Value> {
        let launch = flight(endpoint, .events, lastEventID, configure)
        return RecordStream {
            DecodedRecords(
                StreamReader(EventStreamParser(lastEventID: lastEventID), launch: launch), noun: "event", damaged: damaged, decode: decode)
        }
    }

    func flight<E: Endpoint>(
        _ endpoint: E, _ kind: StreamKind, _ lastEventID: String = "", _ configure: (inout Options) -> Void
    ) -> StreamLaunch {
        let flight = StreamFlight(
            endpoint: endpoint, engine: engine, binding: binding, options: Options(configure), kind: kind, lastEventID: lastEventID)
        // A sequence and its iterators keep their client alive, as a copy of it does; the flight does not.
        return { [self] handover in withExtendedLifetime(self) { flight.start(handover) } }
    }
}
