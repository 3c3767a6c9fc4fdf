import HTTPTypes

/// What makes two calls of one service and environment identical: whoever has the same key may have the same answer.
struct CoalesceKey: Hashable, Sendable {
    private let method: HTTPRequest.Method
    private let url: HTTPURL?
    /// In the place of URL and body where those are stored under something of the app's choosing.
    private let question: String?
    /// Whether it is signed or sealed on its way: who asks so wants no answer to an open request.
    private let isHidden: Bool
    /// The call's fields, then those the service stamps on.
    private let fields: [HTTPField]
    private let principal: Principal
    /// The settings that two calls must have in common.
    private let settings: AnswerIdentity
    private let secrets: Set<String>

    init(_ request: Request, options: ResolvedOptions, principal: Principal) {
        method = request.method
        question = request[SharedQuestion.self]?.key
        let asked = request.question
        url = question == nil ? asked.url : nil
        isHidden = asked.isHidden
        self.principal = principal
        let isQuestion = question != nil
        // What only protects would be another in each.
        fields =
            asked.headers.filter { $0.tellsRequestsApart && !(isQuestion && $0.namesCall) }
            + options.serviceFields.filter(\.tellsRequestsApart)
        settings = options.answerIdentity
        secrets = request.secrets.names
    }

    static func == (one: Self, other: Self) -> Bool {
        one.method == other.method && one.url == other.url && one.question == other.question && one.isHidden == other.isHidden
            && one.fields == other.fields && one.principal == other.principal && one.settings == other.settings && one.secrets == other.secrets
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

/// The settings that decide below the shared flight whether, and as what, an answer arrives.
struct AnswerIdentity: Hashable, Sendable {
    // SAFETY: constant, and made of descriptions and Sendable values of settings.
    private nonisolated(unsafe) let settings: Set<AnyHashable>

    init(_ values: OptionValues, _ layers: [OptionLayer]) {
        var settings: Set<AnyHashable> = []
        for layer in layers {
            for entry in layer.options.entries.values where entry.sharing == .compared {
                if let identity = entry.sharedIdentity(in: values) { settings.insert(identity) }
            }
        }
        self.settings = settings
    }
}

extension ResolvedOptions {
    /// Made when first asked for: most calls share no answer.
    var answerIdentity: AnswerIdentity {
        if let known = knownIdentity.withLock({ $0 }) { return known }
        let made = AnswerIdentity(values, layers)
        knownIdentity.withLock { $0 = made }
        return made
    }

    /// Whether endpoint or call bring transforms of their own.
    var transformsOfCall: Bool { layers.contains { $0.origin.isOfCall && $0.options[ParameterTransforms.self] != nil } }

    /// Whether endpoint or call set something that cannot be compared.
    var fliesAlone: Bool {
        layers.contains { layer in
            layer.origin.isOfCall
                && layer.options.entries.values.contains {
                    // An attempt interceptor of the service can read the settings of other modules.
                    $0.sharing == .exclusive || !values.attemptInterceptors.isEmpty && $0.isReadByApps
                }
        }
    }
}

/// A request whose body is part of what it asks, and what it is known by: those that ask the same can share an answer.
package struct SharedQuestion: Attachment {
    package let key: String?
    /// The URL that changes are known by.
    package let url: String

    package init(key: String?, url: String) {
        self.key = key
        self.url = url
    }
}
