public import TarmacCore

/// An observer that stores every event, for tests.
///
/// ```swift
/// let recorder = EventRecorder()
/// let client = Client(transport: .stub(stub)) { $0.observers.append(recorder) }
/// ```
public final class EventRecorder: EventObserver {
    private let recorded = Watched<[CallEvent]>([])

    public init() {}

    public func receive(_ event: CallEvent) { recorded.update { $0.append(event) } }

    /// The events so far, in order of arrival.
    public var events: [CallEvent] { recorded.value }

    /// The kinds of the events so far as short words, such as `started`, `attemptStarted`, `landed`.
    public var names: [String] { events.map { Self.name($0.kind) } }

    /// Waits until an event satisfies the condition.
    public func received(where condition: @escaping @Sendable (CallEvent) -> Bool) async throws {
        _ = try await recorded.wait { $0.contains(where: condition) }
    }

    private static func name(_ kind: CallEvent.Kind) -> String {
        if case .stage(let event) = kind { return event.name }
        return String("\(kind)".prefix { $0.isLetter })
    }
}
