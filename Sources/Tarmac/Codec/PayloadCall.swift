import HTTPTypes

/// Which call a payload answers, as far as an error about it has to tell.
struct PayloadCall: Sendable {
    let endpoint: String
    let service: String
    let method: HTTPRequest.Method
    /// Masks the call's secrets.
    let redactor: Redactor
    var tags: Set<CallTag> = []
    var userInfo = UserInfo()

    func context(url: HTTPURL, attempts: Int, duration: Duration) -> TarmacError.Context {
        TarmacError.Context(
            endpoint: endpoint, service: service, request: "\(method.rawValue) \(redactor.url(url))", attempts: attempts, duration: duration,
            tags: tags, userInfo: userInfo)
    }
}

extension CallContext {
    /// What a payload tells of its call.
    var payloadCall: PayloadCall {
        let (method, redactor) = progress.withLock { ($0.request?.method ?? .get, $0.redactor) }
        return PayloadCall(
            endpoint: endpoint, service: service, method: method, redactor: redactor ?? options.redactor, tags: options.values.tags,
            userInfo: options.values.userInfo)
    }
}
