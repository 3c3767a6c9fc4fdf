package import HTTPTypes

/// The properties of a payload's call that errors need.
package struct PayloadCall: Sendable {
    let endpoint: String
    let service: String
    let method: HTTPRequest.Method
    /// The redactor that masks the secrets of the call.
    let redactor: Redactor
    // The settings of the call are not kept, because they hold the app's closures and a payload may live as
    // long as a value.
    var tags: Set<CallTag> = []
    var userInfo = UserInfo()
    package var history = AttemptHistory()

    package init(
        endpoint: String, service: String, method: HTTPRequest.Method, redactor: Redactor, tags: Set<CallTag> = [],
        userInfo: UserInfo = UserInfo(), history: AttemptHistory = AttemptHistory()
    ) {
        (self.endpoint, self.service, self.method, self.redactor) = (endpoint, service, method, redactor)
        (self.tags, self.userInfo, self.history) = (tags, userInfo, history)
    }

    package func context(url: HTTPURL, attempts: Int, duration: Duration) -> TarmacError.Context {
        TarmacError.Context(
            endpoint: endpoint, service: service, request: "\(method.rawValue) \(redactor.url(url))", attempts: attempts, duration: duration,
            tags: tags, userInfo: userInfo, timings: history.all)
    }
}
