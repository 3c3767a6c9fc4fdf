public import TarmacCore

extension Client {
    /// Returns the Server-Sent Events (WHATWG HTML §9.2) of an endpoint with any method.
    ///
    /// ```swift
    /// for try await event in client.events(Chat(prompt)) { show(event.data) }
    /// for try await event in client.events(News(), after: stored.lastEventID) { … }
    /// ```
    /// The stream is one call: settings, credentials, redirects, hooks and errors work as for any other call.
    /// ``Options/deadline`` limits the whole stream, ``Options/timeout`` the head of each response, and
    /// ``Options/idleTimeout`` each gap between bytes while the loop waits for an event. Raise the idle timeout if the
    /// server sends no comments to keep the connection alive. When a connection ends, the stream opens another, as
    /// ``Options/events`` says, and reports each as ``StreamEvent/reconnecting(after:because:)``.
    ///
    /// The request says `Accept: text/event-stream` and `Cache-Control: no-cache`, as a browser's `EventSource` does,
    /// unless the endpoint or a setting of the call says something else. The client's own cache neither answers nor
    /// stores the stream.
    ///
    /// The sequence keeps its client alive. A service has at most 4,096 open streams. They take no slots or connections
    /// from its other calls.
    ///
    /// - Parameters:
    ///   - endpoint: The call that opens the stream.
    ///   - lastEventID: The id of the event after which the stream continues. Default: none.
    ///   - configure: Changes the settings of this call.
    /// - Returns: A sequence that throws `TarmacError` or `CancellationError`: `.unacceptableStatus`,
    ///   `.unacceptableContentType`, `.recordTooLarge` for an event larger than ``Options/maximumRecordSize``, and the
    ///   errors of any call.
    public func events<E: Endpoint>(_ endpoint: E, after lastEventID: String = "", configure: (inout Options) -> Void = { _ in }) -> EventStream {
        EventStream(lastEventID: lastEventID, launch: flight(endpoint, .events, lastEventID, configure))
    }

    /// Returns the events of an endpoint, with the data of each decoded by ``Options/decoder``.
    ///
    /// ```swift
    /// for try await delta in client.events(Chat(prompt), as: Delta.self) { … }
    /// ```
    /// - Parameters:
    ///   - endpoint: The call that opens the stream.
    ///   - type: The type of the values.
    ///   - names: The names of the events to decode; others are skipped. Default: all.
    ///   - lastEventID: The id of the event after which the stream continues. Default: none.
    ///   - damaged: The handling of an event that cannot be decoded. Default: its error ends the stream.
    ///   - configure: Changes the settings of this call.
    public func events<E: Endpoint, Value: Decodable & Sendable>(
        _ endpoint: E, as type: Value.Type, named names: Set<String>? = nil, after lastEventID: String = "", damaged: DamagedRecords = .fail,
        configure: (inout Options) -> Void = { _ in }
    ) -> RecordStream<Value> {
        decodedEvents(endpoint, lastEventID, damaged, configure) { event, opening in
            guard names?.contains(event.name) ?? true else { return nil }
            return try opening.payload(of: Bytes(event.data)).decode(Value.self)
        }
    }

    /// Returns the events of an endpoint, each converted to a value by the row of a table for its name.
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
        // The sequence and its iterators keep the client alive, as a copy of the client does; the flight does not.
        return { [self] handover in withExtendedLifetime(self) { flight.start(handover) } }
    }
}
