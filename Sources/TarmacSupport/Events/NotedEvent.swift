package import TarmacCore

/// An event of a room, as the observers of the library show it. The observers know no room.
package protocol NotedEvent: StageEvent {
    /// The line in a log of the console.
    var line: EventLine { get }
    /// The group in the log of calls: a raw value of `CallLog.Event.Kind`.
    var topic: String { get }
    /// The reason of the request that follows, or `nil` if none does.
    var reasonOfNext: String? { get }
    /// The warning in a log of a server, or `nil`.
    var warning: EventWarning? { get }
    /// The source of the response, for a span: `hit`, `stale` or `validated`.
    var cacheOutcome: String? { get }
    /// The attributes of the server whose circuit breaker has changed, or `nil`.
    var circuit: (server: [(String, String)], isOpen: Bool)? { get }
}

extension NotedEvent {
    package var reasonOfNext: String? { nil }
    package var warning: EventWarning? { nil }
    package var cacheOutcome: String? { nil }
    package var circuit: (server: [(String, String)], isOpen: Bool)? { nil }
}

/// A line of a log, with its importance.
package struct EventLine: Sendable {
    package enum Importance: Sendable { case end, request, step }

    package let text: String
    package let importance: Importance

    package init(_ text: String, _ importance: Importance) { (self.text, self.importance) = (text, importance) }
}

/// A warning in a log of a server, with its attributes.
package struct EventWarning: Sendable {
    package let text: String
    package let error: TarmacError?
    package let attributes: [(name: String, value: String)]

    package init(_ text: String, _ error: TarmacError? = nil, _ attributes: [(name: String, value: String)] = []) {
        (self.text, self.error, self.attributes) = (text, error, attributes)
    }
}
