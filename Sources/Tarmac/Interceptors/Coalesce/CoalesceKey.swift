import HTTPTypes

/// What makes two calls of one service and environment identical: whoever has the same key may have the same answer.
struct CoalesceKey: Hashable, Sendable {
    private let method: HTTPRequest.Method
    private let url: HTTPURL?
    /// In the place of URL and body where those are stored under something of the app's choosing.
    private let question: CacheKey?
    /// Whether it is signed or sealed on its way: who asks so wants no answer to an open request.
    private let isHidden: Bool
    /// The call's fields, then those the service stamps on.
    private let fields: [HTTPField]
    private let principal: Principal
    private let limits: Limits

    /// Settings that decide below this stage whether, and as what, an answer arrives.
    private struct Limits: Hashable {
        let body: Int
        let inflated: Int
        let insecureHTTP: Bool
        let cellular: Bool
        let expensive: Bool
        let constrained: Bool
        let host: HostKind
        let failover: FailoverRule
        let secretNames: Set<String>
        let secrets: Set<String>
    }

    init(_ request: Request, options: ResolvedOptions, principal: Principal) {
        method = request.method
        question = request.cacheMark?.question
        let asked = request.question
        url = question == nil ? asked.url : nil
        isHidden = asked.isHidden
        self.principal = principal
        let isQuestion = question != nil
        // What only protects would be another in each.
        fields =
            asked.headers.filter { $0.tellsRequestsApart && !(isQuestion && $0.namesCall) }
            + options.serviceFields.filter(\.tellsRequestsApart)
        limits = Limits(
            body: options.values.maximumBodySize, inflated: options.values.maximumInflatedSize,
            insecureHTTP: options.values.allowsInsecureHTTP, cellular: options.values.allowsCellularAccess,
            expensive: options.values.allowsExpensiveNetworkAccess, constrained: options.values.allowsConstrainedNetworkAccess,
            host: options.values.host, failover: options.values.failover, secretNames: options.values.secretNames,
            secrets: request.secrets.names)
    }

    static func == (one: Self, other: Self) -> Bool {
        one.method == other.method && one.url == other.url && one.question == other.question && one.isHidden == other.isHidden
            && one.fields == other.fields && one.principal == other.principal && one.limits == other.limits
    }

    /// Method and URL tell nearly all apart, and cost least.
    func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        hasher.combine(url)
        hasher.combine(question)
    }
}

extension HTTPField {
    /// A question is asked once for all, whatever key each would have sent.
    fileprivate var namesCall: Bool { name.canonicalName == "idempotency-key" }

    /// Fields of tracing name the call, not what it asks for.
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

extension ResolvedOptions {
    /// Whether endpoint or call bring transforms of their own.
    var transformsOfCall: Bool { layers.contains { $0.origin.isOfCall && $0.options[ParameterTransforms.self] != nil } }

    /// Whether endpoint or call bring something of their own that cannot be compared.
    var fliesAlone: Bool {
        layers.contains { layer in
            layer.origin.isOfCall
                && (layer.options[AuthenticatorOption.self] != nil || layer.options[EncryptionOption.self] != nil
                    || layer.options[SigningOption.self] != nil || layer.options[VerificationOption.self] != nil
                    || layer.options[AttemptInterceptors.self] != nil || layer.options[CookiesOption.self] != nil
                    // An attempt interceptor of the service may read it.
                    || !values.attemptInterceptors.isEmpty && layer.options.entries.keys.contains { values.custom[$0] != nil })
        }
    }
}
