import TarmacJSON
import TarmacCore

/// One connection of a stream: its body, and the context for decoding its records.
struct StreamOpening: Sendable {
    /// The body; `nil` once it has a reader, so that it is released with the reader.
    private(set) var body: ByteStream?
    /// The response without its body.
    let head: Response
    let call: PayloadCall
    let options: ResolvedOptions
    let documentOptions: JSONDocument.Options
    /// The id after which the caller asked to continue with an own field; `nil` for none.
    var lastEventID: String?

    init(_ response: Response, context: CallContext) {
        body = StreamedResponse(response).body
        var head = response
        head.body = .bytes(.empty)
        self.head = head
        call = context.payloadCall
        options = context.options
        documentOptions = context.documentOptions
    }

    /// Returns the source of the body, once.
    mutating func takeSource() -> (any ByteStreamSource)? {
        defer { body = nil }
        return body?.makeSource()
    }

    /// The context for decoding records, without the body.
    var withoutBody: StreamOpening {
        var copy = self
        copy.body = nil
        return copy
    }

    /// Returns a record as the response to a call, for the call's decoder. A record has no envelope.
    func payload(of record: Bytes) -> Payload {
        var response = head
        response.body = .bytes(record)
        return Payload(response: response, call: call, envelope: .off, decoder: options.values.decoder, documentOptions: documentOptions)
    }
}

extension Payload {
    /// Decodes a record. `JSON` is the parsed text itself.
    func decode<Value: Decodable>() throws(TarmacError) -> Value {
        if Value.self == JSON.self, let json = try json as? Value { return json }
        return try decode(Value.self)
    }
}
