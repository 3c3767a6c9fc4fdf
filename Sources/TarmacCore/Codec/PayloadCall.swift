import HTTPTypes

/// Which call a payload answers, as far as an error about it has to tell.
package struct PayloadCall: Sendable {
    let endpoint: String
    let service: String
    let method: HTTPRequest.Method
    /// Masks the call's secrets.
    let redactor: Redactor
    // Not the call's settings, which hold what the app's closures hold: a payload is kept for as long as a value.
    var tags: Set<CallTag> = []
    var userInfo = UserInfo()

    package func context(url: HTTPURL, attempts: Int, duration: Duration) -> TarmacError.Context {
        TarmacError.Context(
            endpoint: endpoint, service: service, request: "\(method.rawValue) \(redactor.url(url))", attempts: attempts, duration: duration,
            tags: tags, userInfo: userInfo)
    }
}
