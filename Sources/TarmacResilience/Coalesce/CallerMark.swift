package import HTTPTypes
@_spi(TarmacRooms) package import TarmacCore
import TarmacMasking

/// An attachment of a request whose response may answer other calls. It shows whether an attempt interceptor, which runs for one call,
/// has said who asks.
package struct CallerMark: Attachment {
    /// The secret fields of the request, and those that say who asks, which the key depends on.
    private let credentials: Set<ExactText>
    private let request: Request
    /// Whether an interceptor below the cache has changed what the request asks for or who asks: its place, method or body, or a parameter
    /// other than the time or the number of a request.
    private var hasOtherURL = false
    /// The names of the header fields that it has changed.
    private var changedFields: Set<String> = []
    /// The names of parameters that the key ignores.
    private let ignored: Set<String>
    /// Whether two bodies ask the same.
    private let areAlike: @Sendable (Body, Body) -> Bool

    /// - Parameters:
    ///   - headers: the request's fields, with the cookies that it will be sent with.
    ///   - ignored: the names of parameters that the key ignores.
    package init(
        _ headers: HTTPFields, _ request: Request, ignoring ignored: Set<String> = [], redactor: Redactor,
        areAlike: @escaping @Sendable (Body, Body) -> Bool = { $0.isLike($1) }
    ) {
        credentials = Self.secrets(headers, redactor)
        self.request = request
        (self.ignored, self.areAlike) = (ignored, areAlike)
    }

    /// Notes the request as the attempt interceptors leave it.
    fileprivate mutating func note(_ other: Request, in context: CallContext) {
        if request.headers != other.headers { changedFields = Self.changedNames(request.headers, other.headers) }
        hasOtherURL = request.method != other.method || !request.body.isLike(other.body) || changedFields.contains("host")
        if !hasOtherURL { hasOtherURL = differs(request.url, other.url, context) }
    }

    /// Whether parameters that were transformed again, for this sending, ask for something else or as another caller. Transforms that only
    /// protect a request do not count.
    fileprivate func isRemade(_ sent: Request, in context: CallContext) -> Bool {
        let asked = request.question, other = sent.question
        // A request that an interceptor has changed is sent as it is. `note` has judged the change.
        if asked.isHidden != other.isHidden { return false }
        if !areAlike(asked.body, other.body) || Self.secrets(asked.headers, context.redactor) != Self.secrets(other.headers, context.redactor) { return true }
        return differs(asked.url, other.url, context)
    }

    private func differs(_ url: HTTPURL, _ changed: HTTPURL, _ context: CallContext) -> Bool {
        if url == changed { return false }
        // A failover changes the origin to another of the service's own.
        if !url.path.isExactly(changed.path) || url.origin != changed.origin && !context.authenticates(Request(.get, changed)) { return true }
        let names = Self.changedParameters(url.query, changed.query).filter { !ignored.contains($0) }
        return names.contains { !Self.tellsNobody($0) }
            || !names.isEmpty && [url.query, changed.query].contains { $0.map(context.redactor.hidesSecret(inForm:)) ?? false }
    }

    /// Whether the response to the request as it was sent is none to the request as it was.
    fileprivate func isOfAnother(_ sent: HTTPFields, _ response: HTTPFields, redactor: Redactor) -> Bool {
        hasOtherURL || !changedFields.isEmpty && (Self.secrets(request.headers, redactor) != Self.secrets(sent, redactor) || variesByChange(response))
    }

    private func variesByChange(_ response: HTTPFields) -> Bool {
        response[values: .vary].contains { $0.split(separator: ",").contains { changedFields.union(["*"]).contains($0.trimmed.lowercased()) } }
    }

    /// Whether a parameter is the time or the number of a request or the name of a device, and does not say who asks for what.
    private static func tellsNobody(_ name: String) -> Bool {
        times.contains(name.lowercased()) || CallerName.kind(of: name) == .device
    }

    private static let times: Set<String> = ["t", "ts", "_t", "_", "time", "timestamp", "nonce", "requestid", "request_id", "traceid", "trace_id"]

    private static func changedNames(_ fields: HTTPFields, _ other: HTTPFields) -> Set<String> {
        let (before, after) = (lines(fields), lines(other))
        return Set(before.symmetricDifference(after).map { String($0.text.prefix { $0 != ":" }) })
    }

    private static func lines(_ fields: HTTPFields) -> Set<ExactText> { Set(fields.map { ExactText("\($0.name.canonicalName):\($0.value)") }) }

    /// The names of the parameters that only one of two queries has with this value.
    private static func changedParameters(_ query: String?, _ other: String?) -> [String] {
        let (before, after) = (pairs(of: query), pairs(of: other))
        return before.symmetricDifference(after).map { pair in
            String(decoding: PercentDecoding.bytes(pair.text.utf8.prefix { $0 != UInt8(ascii: "=") }), as: UTF8.self)
        }
    }

    private static func pairs(of query: String?) -> Set<ExactText> { Set((query ?? "").split(separator: "&").map { ExactText(String($0)) }) }

    /// Whether a request still has the credentials of its lookup.
    package func fits(_ headers: HTTPFields, redactor: Redactor) -> Bool { Self.secrets(headers, redactor) == credentials }

    private static func secrets(_ headers: HTTPFields, _ redactor: Redactor) -> Set<ExactText> {
        let known = headers.lazy.filter { CallerFields.tellsApart($0.name, redactor) }
        return Set(known.map { ExactText("\($0.name.canonicalName): \($0.value)") })
    }
}

/// An attachment of a response that belongs to the call whose interceptor said who asks, and to no other.
package struct OtherCaller: Attachment {
    package init() {}
}

/// Marks a response if an attempt interceptor has said who asks. It is above the stages that remake the query and add cookies for each
/// attempt.
package struct CallerMarkInterceptor: Interceptor {
    /// The stages, where an attempt interceptor or a parameter transform can change a request.
    package static func stages(in scope: StageScope) -> [SeatedStage] {
        (scope.values.attemptInterceptors.isEmpty ? [] : [SeatedStage(.callerMark, CallerMarkInterceptor())])
            + (scope.values.parameterTransforms.isEmpty ? [] : [SeatedStage(.remadeMark, RemadeMarkInterceptor())])
    }

    @inline(__always)
    package nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        guard var mark = request[CallerMark.self] else { return try await chain.proceed(request) }
        let redactor = chain.context.redactor
        mark.note(request, in: chain.context)
        var response = try await chain.proceed(request)
        if mark.isOfAnother(request.headers, response.headers, redactor: redactor) { response[OtherCaller.self] = OtherCaller() }
        return response
    }
}

/// Marks a response if a parameter transform made another request for this sending, such as for the user who has logged in since.
private struct RemadeMarkInterceptor: Interceptor {
    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        // A request that changes something has no stored answer, and what it changes is removed as ever.
        guard let mark = request[CallerMark.self], request.isSafe || request[ResponseKey.self]?.question != nil,
            mark.isRemade(request, in: chain.context)
        else { return try await chain.proceed(request) }
        var response = try await chain.proceed(request)
        response[OtherCaller.self] = OtherCaller()
        return response
    }
}

extension Seat {
    /// Below the attempt interceptors, and above the parameters, which are remade for each attempt.
    static let callerMark = Seat(.preparing, order: 5)
    /// Below the parameters.
    static let remadeMark = Seat(.preparing, order: 15)
}

extension Body {
    /// Whether two bodies are none, or have the same bytes.
    fileprivate func isLike(_ other: Body) -> Bool {
        isNone && other.isNone || contentType == other.contentType && buffered == other.buffered && length == other.length
    }
}
