import TarmacCore

/// What events become by their names: a line for each.
///
/// ```swift
/// static let table = EventTable<ChatStep>()
///     .on("message_start", as: Start.self) { .started($0.id) }
///     .on("content_block_delta", as: Delta.self) { .text($0.text) }
///     .on("ping") { _ in nil }
/// for try await step in client.events(Chat(prompt), by: table) { … }
/// ```
/// An event it has no line for is `TarmacError(.decodingFailed)` naming the event; ``ignoringOthers()`` passes over it.
public struct EventTable<Value: Sendable>: Sendable {
    typealias Line = @Sendable (ServerSentEvent, StreamOpening) throws -> Value?
    private var lines: [String: Line] = [:]
    private var fallback: Line?

    /// A table without a line.
    public init() {}

    /// The table with a line for the events of a name: their data is decoded by ``Options/decoder`` and made into a value.
    /// `nil` passes over the event; a later line replaces an earlier one.
    public func on<Content: Decodable & Sendable>(_ name: String, as type: Content.Type, _ make: @escaping @Sendable (Content) throws -> Value?) -> Self {
        adding(name) { event, opening in try make(opening.payload(of: Bytes(event.data)).decode()) }
    }

    /// The table with a line for the events of a name.
    public func on(_ name: String, _ make: @escaping @Sendable (ServerSentEvent) throws -> Value?) -> Self {
        adding(name) { event, _ in try make(event) }
    }

    /// The table with a line for all other events.
    public func otherwise(_ make: @escaping @Sendable (ServerSentEvent) throws -> Value?) -> Self {
        var copy = self
        copy.fallback = { event, _ in try make(event) }
        return copy
    }

    /// The table that passes over all other events.
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
