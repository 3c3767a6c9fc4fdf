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

    /// Returns why a request is refused, or `nil` if it may pass.
    func refusal(of request: InspectorRequest) -> Refusal? {
        guard isKnown(host: request.host) else { return .init(403, "the Host field names another server") }
        guard token.matches(shownToken(request)) else { return .init(401, "the token is missing or wrong: open the URL that the program printed") }
        guard let path = InspectorPath(rawValue: request.path) else { return .init(404, "there is nothing at this path") }
        guard request.method == path.method else { return .init(405, "this path takes \(path.method)", headers: [("Allow", path.method)]) }
        return path.method == "POST" ? refusal(ofAction: request) : nil
    }

    private func refusal(ofAction request: InspectorRequest) -> Refusal? {
        guard let host = request.host, request.header("origin") == "http://\(host)" else { return .init(403, "the Origin field names another page") }
        guard request.header("content-type") == "application/json" else { return .init(415, "the body must be JSON") }
        guard let length = request.header("content-length").flatMap({ Int($0) }) else { return .init(411, "the length of the body is missing") }
        return length > Self.largestBody ? .init(413, "the body is longer than \(Self.largestBody) bytes") : nil
    }

    /// The page and its event source have the token in their URL, because neither can send a field. All others send the field alone, so
    /// that a link does not reach them.
    private func shownToken(_ request: InspectorRequest) -> String? {
        let isInURL = InspectorPath(rawValue: request.path)?.takesTokenInURL ?? false
        return isInURL ? request.query("token") : request.header("x-tarmac-token")
    }

    /// Whether a `Host` field names this server by its address. A name other than `localhost` may have been rebound.
    private func isKnown(host: String?) -> Bool {
        guard let host, let colon = host.lastIndex(of: ":"), host[host.index(after: colon)...] == "\(port)" else { return false }
        let name = host[..<colon].lowercased()
        return ["127.0.0.1", "localhost", "[::1]"].contains(name) || isPublic && Self.isAddress(name)
    }

    private static func isAddress(_ name: String) -> Bool {
        if name.hasPrefix("["), name.hasSuffix("]") { return name.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." } }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}

/// Why a request is refused.
struct Refusal: Sendable {
    let status: Int
    let reason: String
    let headers: [(String, String)]

    init(_ status: Int, _ reason: String, headers: [(String, String)] = []) { (self.status, self.reason, self.headers) = (status, reason, headers) }
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

    var method: String {
        switch self {
        case .page, .events, .state, .calls, .call, .search, .har, .settings: "GET"
        case .clear, .pause, .resend, .environment: "POST"
        }
    }

    var takesTokenInURL: Bool { self == .page || self == .events }
}

/// A request to the server, without its body.
struct InspectorRequest: Sendable {
    let method: String
    let path: String
    private let query: [(name: String, value: String)]
    /// The names are in lower case.
    private let headers: [String: String]

    init(_ method: String, _ path: String, query: [(name: String, value: String)] = [], headers: [(name: String, value: String)] = []) {
        (self.method, self.path, self.query) = (method, path, query)
        self.headers = Dictionary(headers.map { ($0.name.lowercased(), $0.value) }) { "\($0), \($1)" }
    }

    var host: String? { header("host") }
    func header(_ name: String) -> String? { headers[name] }
    /// `nil` as well if the parameter occurs more than once.
    func query(_ name: String) -> String? {
        let values = query.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }
}
#endif
