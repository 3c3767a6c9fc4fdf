import HTTPTypes

extension CallContext {
    /// What a payload tells of its call.
    package var payloadCall: PayloadCall {
        let (method, redactor) = progress.withLock { ($0.request?.method ?? .get, $0.redactor) }
        return PayloadCall(
            endpoint: endpoint, service: service, method: method, redactor: redactor ?? options.redactor, tags: options.values.tags,
            userInfo: options.values.userInfo)
    }

    /// A judged response, about to become a value. An envelope that is not checked is not opened either.
    package func payload(of response: Response) -> Payload {
        Payload(
            response: response, call: payloadCall, envelope: options.values.checksEnvelope ? options.values.envelope : .none,
            decoder: options.values.decoder, documentOptions: documentOptions)
    }
}
