#if Inspector
/// Decides which requests the server answers (pure).
///
/// A page of another site cannot read an answer and cannot cause an action: it knows no token, its `Host` is a name that it rebound to this
/// machine, and its `Origin` is another.
struct Gate: Sendable {
    let token: AccessToken
    let port: Int
    /// Whether the server is reachable at addresses other than loopback.
    let isPublic: Bool
    /// The largest body of a request.
    static let largestBody = 65_536

    /// Returns why a request is refused, or `nil` if it may pass. The server closes the connection of a refused request, whose body it may not
    /// have read.
    func refusal(of request: InspectorRequest) -> Refusal? {
        guard isKnown(host: request.host) else { return .init(403, .otherHost, "the Host field names another server") }
        // Before the token, and for every path: a browser sends no Origin when it opens the page or its events.
        if request.header("origin") != nil, let refusal = refusal(ofOrigin: request) { return refusal }
        if let refusal = refusal(ofBody: request) { return refusal }
        guard token.matches(shownToken(request)) else {
            return .init(401, .wrongToken, "the token is missing or wrong: open the URL that the program printed")
        }
        guard let path = InspectorPath(rawValue: request.path) else { return .init(404, .noPath, "there is nothing at this path") }
        guard request.method == path.method else {
            return .init(405, .otherMethod, "this path takes \(path.method)", value: path.method, headers: [("Allow", path.method)])
        }
        return path.method == "POST" ? refusal(ofAction: request) : nil
    }

    private func refusal(ofOrigin request: InspectorRequest) -> Refusal? {
        if let host = request.host, request.header("origin") == "http://\(host)" { return nil }
        return .init(403, .otherPage, "the Origin field names another page")
    }

    /// A body of unknown or excessive length is never read, whatever the method and the sender.
    private func refusal(ofBody request: InspectorRequest) -> Refusal? {
        if request.header("transfer-encoding") != nil { return .init(411, .noLength, "the length of the body is missing") }
        guard let length = request.header("content-length") else { return nil }
        return Int(length).map((0...Self.largestBody).contains) == true ? nil : .init(413, .tooLong, "the body is longer than \(Self.largestBody) bytes")
    }

    private func refusal(ofAction request: InspectorRequest) -> Refusal? {
        if let refusal = refusal(ofOrigin: request) { return refusal }
        guard request.header("content-type") == "application/json" else { return .init(415, .notJSON, "the body must be JSON") }
        return request.header("content-length") == nil ? .init(411, .noLength, "the length of the body is missing") : nil
    }

    /// The page and its event source have the token in their URL, because neither can send a field. All others send the field alone, so
    /// that a link does not reach them.
    private func shownToken(_ request: InspectorRequest) -> String? {
        let isInURL = InspectorPath(rawValue: request.path)?.takesTokenInURL ?? false
        return isInURL ? request.query("token") : request.header("x-tarmac-token")
    }

    /// Whether a `Host` field names this server by its address. A name other than `localhost` may have been rebound. Browsers leave out port
    /// 80.
    private func isKnown(host: String?) -> Bool {
        guard let host else { return false }
        let ending = ":\(port)", hasPort = host.hasSuffix(ending)
        guard hasPort || port == 80 else { return false }
        let name = host.dropLast(hasPort ? ending.utf8.count : 0).lowercased()
        return ["127.0.0.1", "localhost", "[::1]"].contains(name) || isPublic && Self.isAddress(name)
    }

    private static func isAddress(_ name: String) -> Bool {
        if name.hasPrefix("["), name.hasSuffix("]") { return name.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." } }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}

/// The paths of the server. There are no others.
enum InspectorPath: String, Sendable, CaseIterable {
    case page = "/"
    case events = "/api/events"
    case state = "/api/state"
    case calls = "/api/calls"
    case call = "/api/call"
    case search = "/api/search"
    case har = "/api/har"
    case settings = "/api/settings"
    case clear = "/api/clear"
    case pause = "/api/pause"
    case resend = "/api/resend"
    case environment = "/api/environment"
    case fault = "/api/fault"
    case answer = "/api/answer"
    case host = "/api/host"

    var method: String {
        switch self {
        case .page, .events, .state, .calls, .call, .search, .har, .settings: "GET"
        case .clear, .pause, .resend, .environment, .fault, .answer, .host: "POST"
        }
    }

    var takesTokenInURL: Bool { self == .page || self == .events }
}
#endif
