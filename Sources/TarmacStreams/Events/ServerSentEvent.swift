public import TarmacJSON
public import TarmacCore

/// One Server-Sent Event (WHATWG HTML §9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The `event` field; `message` if there is none.
    public var name: String
    /// The `data` fields, joined by line feeds.
    public var data: String
    /// The id of this event, or of the last earlier event with an id; empty if there is none.
    public var lastEventID: String
    /// The options for parsing the data, which mask the names that the call's redactor hides.
    var documentOptions = Redactor.standardDocumentOptions
    /// Makes the payload for the decoder of the call; `nil` for an event without a call.
    var payload: (@Sendable (Bytes) -> Payload)?

    public init(name: String = "message", data: String, lastEventID: String = "") {
        self.name = name
        self.data = data
        self.lastEventID = lastEventID
    }

    /// Decodes the data with the ``Options/decoder`` of the call that read the event, or as JSON with a decoder of your own.
    ///
    /// An event without a call, such as one of an ``EventStreamParser``, is decoded as JSON with the standard strategies.
    /// Errors quote no value below a name that the call's ``Redactor`` hides (the standard one if there is no call),
    /// nor below a name that the decoder's options mask.
    ///
    /// - Throws: `TarmacError(.decodingFailed)` with the path, or `.malformedJSON` when the data is not JSON.
    public func decode<Value: Decodable>(
        as type: Value.Type = Value.self, decoder: TarmacJSONDecoder? = nil
    ) throws(TarmacError) -> Value {
        if decoder == nil, let payload { return try payload(Bytes(data)).decode(type) }
        let decoder = decoder ?? TarmacJSONDecoder()
        let document = try document(options(of: decoder))
        do { return try decoder.decode(type, from: document.root) } catch { throw DecodingFailure.error(error, as: type) }
    }

    /// The data as JSON. Throws `TarmacError(.malformedJSON)`.
    public var json: JSON {
        get throws(TarmacError) { try document(documentOptions).root }
    }

    private func options(of decoder: TarmacJSONDecoder) -> JSONDocument.Options {
        var options = decoder.options
        let isOwn = options.maskedKeys != JSONDocument.Options.defaultMaskedKeys
        options.maskedKeys = isOwn ? documentOptions.maskedKeys.union(options.maskedKeys) : documentOptions.maskedKeys
        return options
    }

    private func document(_ options: JSONDocument.Options) throws(TarmacError) -> JSONDocument {
        do { return try JSONDocument(Bytes(data), options: options) } catch {
            throw TarmacError(
                .malformedJSON, phase: .decoding, "the data of an event \(name) is not JSON: \(error)", cause: error,
                path: error.path.components.isEmpty ? nil : error.path.description)
        }
    }
}

extension ServerSentEvent {
    /// Returns whether two events have the same name, data and id.
    public static func == (left: ServerSentEvent, right: ServerSentEvent) -> Bool {
        left.name == right.name && left.data == right.data && left.lastEventID == right.lastEventID
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(data)
        hasher.combine(lastEventID)
    }
}

extension ServerSentEvent: MaskedReflectable {
    /// The name and the size. The data is left out because it may hold secrets.
    public var description: String { "\(name), \(data.utf8.count) bytes" }
}
