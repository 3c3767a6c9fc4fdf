import HTTPTypes
package import TarmacJSON

extension Payload {
    /// Makes a payload without a call, for a benchmark of verdict and landing.
    package init(alone response: Response, envelope: Envelope, decoder: BodyDecoder, documentOptions: JSONDocument.Options) {
        self.init(
            response: response, call: PayloadCall(endpoint: "", service: "", method: .get, redactor: .standard), envelope: envelope,
            decoder: decoder, documentOptions: documentOptions)
    }
}
