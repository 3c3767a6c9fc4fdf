import HTTPTypes

extension CallContext {
    /// The part of the call that its payload needs.
    package var payloadCall: PayloadCall {
        let (method, redactor, history) = progress.withLock { ($0.request?.method ?? .get, $0.redactor, $0.history) }
        return PayloadCall(
            endpoint: endpoint, service: service, method: method, redactor: redactor ?? options.redactor, tags: options.values.tags,
            userInfo: options.values.userInfo, history: history)
    }

    /// Returns the payload of a judged response. An envelope that is not checked is not opened.
    package func payload(of response: Response) -> Payload {
        Payload(
            response: response, call: payloadCall, envelope: options.values.checksEnvelope ? options.values.envelope : .none,
            decoder: options.values.decoder, documentOptions: documentOptions)
    }
}
