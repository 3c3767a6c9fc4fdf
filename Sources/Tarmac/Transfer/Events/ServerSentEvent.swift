public import TarmacJSON

/// One Server-Sent Event (WHATWG HTML §9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The `event` field; `message` without one.
    public var name: String
    /// The `data` fields, one line each.
    public var data: String
    /// The id of this event, or of the last one before it that had one; empty for none.
    public var lastEventID: String

    public init(name: String = "message", data: String, lastEventID: String = "") {
        self.name = name
        self.data = data
        self.lastEventID = lastEventID
    }

    /// Decodes the data as JSON.
    ///
    /// - Throws: `TarmacError(.decodingFailed)` with the path, `.malformedJSON` when the data is no JSON.
    public func decode<Value: Decodable>(
        as type: Value.Type = Value.self, decoder: TarmacJSONDecoder = TarmacJSONDecoder()
    ) throws(TarmacError) -> Value {
        let document = try document()
        do { return try decoder.decode(type, from: document.root) } catch { throw DecodingFailure.error(error, as: type) }
    }

    /// The data as JSON; throws `TarmacError(.malformedJSON)`.
    public var json: JSON {
        get throws(TarmacError) { try document().root }
    }

    private func document() throws(TarmacError) -> JSONDocument {
        do { return try JSONDocument(Bytes(data)) } catch {
            throw TarmacError(
                .malformedJSON, phase: .decoding, "the data of an event \(name) is not JSON: \(error)", cause: error,
                path: error.path.components.isEmpty ? nil : error.path.description)
        }
    }
}

extension ServerSentEvent: CustomStringConvertible, CustomReflectable {
    /// Name and size; the data may hold secrets.
    public var description: String { "\(name), \(data.utf8.count) bytes" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
