#if Inspector
/// Why the server does not do what a request asks for.
struct Refusal: Error, Sendable {
    /// The page has a Chinese sentence for each code.
    enum Code: String, Sendable, CaseIterable {
        case otherHost, wrongToken, noPath, otherMethod, otherPage, notJSON, noLength, tooLong, brokenBody, brokenHead, longHead
        case tooManyPages, gone, unknownService, unreadableOrder, isFile, nothingToPause, noClient, unknownEnvironment
        case noRequest, secretInURL, incompleteURL, secretInBody, incompleteBody, otherOrigin, tookTooLong, noFaults, unknownFault
        case unusableAnswer, tooManyAnswers, noHosts, unknownHost
    }
    let status: Int
    let code: Code
    /// In English.
    let reason: String
    /// The name in the reason, if it has one.
    let value: String?
    let headers: [(String, String)]

    init(_ status: Int, _ code: Code, _ reason: String, value: String? = nil, headers: [(String, String)] = []) {
        (self.status, self.code, self.reason, self.value, self.headers) = (status, code, reason, value, headers)
    }

    static let gone = Refusal(404, .gone, "the log does not have the call any more")
    static func unknownService(_ name: String, status: Int = 409) -> Refusal {
        Refusal(status, .unknownService, "the client does not list the service \(name); list it in services: [...] of the client", value: name)
    }
}
#endif
