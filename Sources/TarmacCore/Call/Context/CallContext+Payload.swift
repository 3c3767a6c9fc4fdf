import HTTPTypes
@_spi(TarmacRooms) import TarmacHTTP

extension CallContext {
    /// The part of the call that its payload needs.
    package var payloadCall: PayloadCall {
        let (method, redactor, history) = progress.withLock { ($0.request?.method ?? .get, $0.redactor, $0.history) }
        return PayloadCall(
            endpoint: endpoint, service: service, method: method, redactor: redactor ?? options.redactor, tags: options.values.tags,
            userInfo: options.values.userInfo, history: history)
    }

    /// Returns the payload of a judged response.
    package func payload(of response: Response) -> Payload {
        Payload(
            response: response, call: payloadCall, envelope: options.values.envelope,
            decoder: options.values.decoder, documentOptions: documentOptions)
    }
}
