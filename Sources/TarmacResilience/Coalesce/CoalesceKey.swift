import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// The identity of a call within its service and environment. Calls with equal keys can share a response.
struct CoalesceKey: Hashable, Sendable {
    private let method: HTTPRequest.Method
    private let url: HTTPURL?
    /// The key of the request that a module provides instead of the URL and the body.
    private let question: String?
    /// Whether the request is signed or encrypted when it is sent. It cannot share the response to an open request.
    private let isHidden: Bool
    /// The call's header fields, then those that the service adds.
    private let fields: [HTTPField]
    private let principal: Principal
    /// The settings that two calls must have in common.
    private let settings: ResponseIdentity
    private let secrets: Set<ExactText>
    /// The cookies of a jar that the request will be sent with. Other ones may be those of another login.
    private let cookies: String?
    /// The login that the call belongs to. The end of an earlier one of the same account ends its calls alone.
    private let login: Int64?

    init(_ request: Request, options: ResolvedOptions, settings: ResponseIdentity, principal: Principal, cookies: String?, login: Int64?) {
        (self.cookies, self.login) = (cookies, login)
        method = request.method
        question = request[ResponseKey.self]?.question
        let asked = request.question
        url = question == nil ? asked.url : nil
        isHidden = asked.isHidden
        self.principal = principal
        let isQuestion = question != nil
        // Fields that only protect a request differ in each.
        fields =
            asked.headers.filter { $0.tellsRequestsApart && !(isQuestion && $0.namesCall) }
            + options.serviceFields.filter(\.tellsRequestsApart)
        self.settings = settings
        secrets = Set(request.secrets.names.lazy.map { ExactText($0) })
    }

    static func == (one: Self, other: Self) -> Bool {
        one.method == other.method && one.url == other.url && one.question.isExactly(other.question) && one.isHidden == other.isHidden
            && one.fields.elementsEqual(other.fields) { $0.name == $1.name && $0.value.isExactly($1.value) }
            && one.principal == other.principal && one.cookies.isExactly(other.cookies) && one.login == other.login && one.settings == other.settings
            && one.secrets == other.secrets
    }

    /// Method and URL distinguish nearly all calls, and cost least.
    func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        hasher.combine(url)
        hasher.combine(question)
    }
}

extension HTTPField {
    /// One request answers all equal questions, whatever idempotency keys they have.
    fileprivate var namesCall: Bool { name.canonicalName == "idempotency-key" }

    /// Tracing fields identify the call, not its content.
    fileprivate var tellsRequestsApart: Bool {
        let name = name.canonicalName
        switch name.utf8.first {
        case UInt8(ascii: "t"): return name != "traceparent" && name != "tracestate"
        case UInt8(ascii: "b"): return name != "baggage" && name != "b3"
        case UInt8(ascii: "x"): return name != "x-request-id" && name != "x-correlation-id" && !name.hasPrefix("x-b3-")
        default: return true
        }
    }
}
