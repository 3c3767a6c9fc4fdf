import HTTPTypes
package import TarmacJSON

extension Payload {
    /// A payload of no call: what a benchmark of judging and landing makes values of.
    package init(alone response: Response, envelope: Envelope, decoder: BodyDecoder, documentOptions: JSONDocument.Options) {
        self.init(
            response: response, call: PayloadCall(endpoint: "", service: "", method: .get, redactor: .standard), envelope: envelope,
            decoder: decoder, documentOptions: documentOptions)
    }
}
