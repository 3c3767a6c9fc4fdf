import TarmacCore

/// A table that converts events to values by their names, with a row for each name.
///
/// ```swift
/// static let table = EventTable<ChatStep>()
///     .on("message_start", as: Start.self) { .started($0.id) }
///     .on("content_block_delta", as: Delta.self) { .text($0.text) }
///     .on("ping") { _ in nil }
/// for try await step in client.events(Chat(prompt), by: table) { … }
/// ```
/// An event without a row throws `TarmacError(.decodingFailed)`, which names the event. With ``ignoringOthers()`` it is
/// skipped.
public struct EventTable<Value: Sendable>: Sendable {
    typealias Line = @Sendable (ServerSentEvent, StreamOpening) throws -> Value?
    private var lines: [String: Line] = [:]
    private var fallback: Line?

    /// Creates an empty table.
    public init() {}

    /// Returns the table with a row for the events of a name. ``Options/decoder`` decodes their data, and `make`
    /// converts it.
    ///
    /// If `make` returns `nil`, the event is skipped. A later row replaces an earlier one for the same name.
    public func on<Content: Decodable & Sendable>(_ name: String, as type: Content.Type, _ make: @escaping @Sendable (Content) throws -> Value?) -> Self {
        on(name, as: type) { content, _ in try make(content) }
    }

    /// Returns the table with a row for the events of a name, whose closure also receives the event, for example its
    /// ``ServerSentEvent/lastEventID``.
    public func on<Content: Decodable & Sendable>(
        _ name: String, as type: Content.Type, _ make: @escaping @Sendable (Content, ServerSentEvent) throws -> Value?
    ) -> Self {
        adding(name) { event, opening in try make(opening.payload(of: Bytes(event.data)).decode(), event) }
    }

    /// Returns the table with a row for the events of a name. If `make` returns `nil`, the event is skipped.
    public func on(_ name: String, _ make: @escaping @Sendable (ServerSentEvent) throws -> Value?) -> Self {
        adding(name) { event, _ in try make(event) }
    }

    /// Returns the table with a row for all other events.
    public func otherwise(_ make: @escaping @Sendable (ServerSentEvent) throws -> Value?) -> Self {
        var copy = self
        copy.fallback = { event, _ in try make(event) }
        return copy
    }

    /// Returns the table that skips all other events.
    public func ignoringOthers() -> Self { otherwise { _ in nil } }

    private func adding(_ name: String, _ line: @escaping Line) -> Self {
        var copy = self
        copy.lines[name] = line
        return copy
    }

    func value(of event: ServerSentEvent, from opening: StreamOpening) throws -> Value? {
        guard let line = lines[event.name] ?? fallback else {
            throw TarmacError(
                .decodingFailed, phase: .decoding, "the table has no line for events named \"\(event.name.prefix(80))\"",
                suggestion: "add .on(…) for it, or .ignoringOthers()")
        }
        return try line(event, opening)
    }
}
