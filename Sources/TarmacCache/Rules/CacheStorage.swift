import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// Decides whether and how a response is stored (RFC 9111 §3).
struct CacheStorage: Sendable {
    /// The parts of a response that the decision depends on.
    struct Answer {
        let method: HTTPRequest.Method
        let requestURL: HTTPURL
        let request: HTTPFields
        let status: HTTPResponse.Status
        let headers: HTTPFields
        /// Whether the verdict is a success, if there is a verdict.
        let isSuccess: Bool

        /// Whether the body contains several ranges. It should then have no Content-Range (RFC 9110 §15.3.7.2).
        var isMultipart: Bool { headers[values: .contentType].contains { $0.trimmed.lowercased().hasPrefix("multipart/byteranges") } }
    }

    /// The decision about a response.
    enum Decision: Sendable, Equatable {
        /// Store it as the response to GET, or to the method that the app caches.
        case store
        /// Store a part of a body, which may be combined with a stored part.
        case storePart(ReceivedRange)
        /// Do not store it, and remove the stored entry, which is out of date.
        case forget
        /// Do not store it, and keep the stored entry.
        case pass
    }

    let rule: CacheRule

    func decide(_ answer: Answer) -> Decision {
        let response = CacheDirectives(answer.headers), request = CacheDirectives(ofRequest: answer.request)
        guard isMethodStored(answer, response) else { return .pass }
        // Responses to the call's own conditions and ranges are about those.
        switch answer.status.code {
        case 304, 412, 416, ..<200: return .pass
        case 206: return part(answer, response, request)
        default: break
        }
        if isStorable(answer, response, request) { return .store }
        // A refusal or a server error says nothing about the earlier response.
        return answer.status.kind == .clientError && ![404, 405, 410, 414].contains(answer.status.code) || answer.status.code >= 500 ? .pass : .forget
    }

    private func isMethodStored(_ answer: Answer, _ response: CacheDirectives) -> Bool {
        if answer.method == .get || rule.isTimed { return true }
        // RFC 9110 §9.3.3: the result of a POST, which the server declares to be the response to a GET.
        guard answer.method == .post, CacheFreshness.isStated(answer.headers, response), answer.status.kind == .successful,
            let location = answer.headers[.contentLocation], let url = try? answer.requestURL.resolving(location)
        else { return false }
        return url == answer.requestURL
    }

    private func isStorable(_ answer: Answer, _ response: CacheDirectives, _ request: CacheDirectives) -> Bool {
        guard CacheVariant(answer.headers).names != nil else { return false }
        if rule.isTimed {
            guard answer.isSuccess else { return false }
            if rule.overridesServer { return true }
        }
        if request.isNoStore { return false }
        if response.isMustUnderstand {
            // §5.2.2.3: a cache that understands the status may ignore no-store.
            if !Self.understood.contains(answer.status.code) { return false }
        } else if response.isNoStore {
            return false
        }
        return rule.isTimed || isOfUse(answer, response)
    }

    /// Whether storing is allowed (§3, last item) and useful: a response that is neither fresh nor can be validated is
    /// never used.
    private func isOfUse(_ answer: Answer, _ response: CacheDirectives) -> Bool {
        let isAllowed =
            response.isPublic || response.isPrivate != nil || CacheFreshness.isStated(answer.headers, response)
            || CacheFreshness.isHeuristicallyCacheable(answer.status)
        // A response that is stale immediately is still used for the time of RFC 5861.
        let isUsedStale = response.staleWhileRevalidate ?? 0 > 0 || response.staleIfError ?? 0 > 0
        let isUsed = isUsedStale || CacheFreshness.isStated(answer.headers, response) || CacheValidation.hasValidator(answer.headers)
        return isAllowed && isUsed
    }

    /// Returns the decision about one range of a body of known length (§3.3).
    private func part(_ answer: Answer, _ response: CacheDirectives, _ request: CacheDirectives) -> Decision {
        guard answer.method == .get, !rule.isTimed, isStorable(answer, response, request), !answer.headers.namesCoding,
            !answer.isMultipart, let range = ReceivedRange(answer.headers)
        else { return .pass }
        return .storePart(range)
    }

    /// Returns the form of a body's bytes, or `nil` if it is unknown and the body must not be stored.
    ///
    /// A transport that removes codings does not say which it removed. If the Content-Encoding field is still there,
    /// the coding may be too; it is if no transport knows it. If the length matches the body, there was no coding.
    static func form(of response: Response, isDecoded: Bool, transportDecodes: Bool) -> CacheEntry.Form? {
        guard isDecoded || transportDecodes else { return .plain }
        let codings = response.headers[values: .contentEncoding].flatMap { $0.lowercased().split(separator: ",") }.map(\.trimmed)
            .filter { !$0.isEmpty && $0 != "identity" }
        if isDecoded { return codings.isEmpty ? .decoded : nil }
        guard codings.isEmpty else { return codings.contains(where: takenOff.contains) ? nil : .plain }
        guard let length = response.headers[values: .contentLength].first.flatMap({ Int64($0) }) else { return .decoded }
        return response.body.collected.map { Int64($0.count) == length } ?? true ? .plain : .decoded
    }

    /// The codings that a transport may remove (libcurl knows the most).
    private static let takenOff: Set<String> = ["gzip", "x-gzip", "deflate", "br", "zstd"]

    /// The registered statuses, whose meaning is known here (RFC 9110 §15).
    private static let understood: Set<Int> = Set(
        [200...206, 300...305, 307...308, 400...417, 421...422, 426...426, 428...429, 431...431, 451...451, 500...505, 511...511].joined())
}
