import TarmacJSON
import TarmacCore

/// One connection of a stream: its body, and what is needed to make values of it.
struct StreamOpening: Sendable {
    /// `nil` once somebody reads it: what is read is let go with its reader.
    private(set) var body: ByteStream?
    /// The response without its body.
    let head: Response
    let call: PayloadCall
    let options: ResolvedOptions
    let documentOptions: JSONDocument.Options
    /// The id the caller asked to go on after by a field of his own; `nil` for none.
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

    /// The source of the body, once.
    mutating func takeSource() -> (any ByteStreamSource)? {
        defer { body = nil }
        return body?.makeSource()
    }

    /// A record as the answer to a call, so that the call's decoder can read it. No envelope is around it.
    func payload(of record: Bytes) -> Payload {
        var response = head
        response.body = .bytes(record)
        return Payload(response: response, call: call, envelope: .none, decoder: options.values.decoder, documentOptions: documentOptions)
    }
}

extension Payload {
    func decode<Value: Decodable>() throws(TarmacError) -> Value { try decode(Value.self) }
}
