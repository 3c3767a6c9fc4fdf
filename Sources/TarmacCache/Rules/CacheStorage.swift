import HTTPTypes
import TarmacCore

/// Whether an answer may be stored, and what of it (RFC 9111 §3).
struct CacheStorage: Sendable {
    /// An answer as far as it decides.
    struct Answer {
        let method: HTTPRequest.Method
        let requestURL: HTTPURL
        let request: HTTPFields
        let status: HTTPResponse.Status
        let headers: HTTPFields
        /// Whether the verdict was a success, as far as there is one.
        let isSuccess: Bool
    }

    /// What becomes of an answer.
    enum Decision: Sendable, Equatable {
        /// Stored as the answer to GET, or to the method the app caches.
        case store
        /// Some bytes of a body; what is stored of it may be added to it.
        case storePart(offset: Int64, length: Int64, total: Int64)
        /// Not stored; what is stored of the same is out of date.
        case forget
        /// Not stored, and says nothing about what is.
        case pass
    }

    let rule: CacheRule

    func decide(_ answer: Answer) -> Decision {
        let response = CacheDirectives(answer.headers), request = CacheDirectives(ofRequest: answer.request)
        guard isMethodStored(answer, response) else { return .pass }
        // Answers to conditions and ranges the caller made are about those.
        switch answer.status.code {
        case 304, 412, 416, ..<200: return .pass
        case 206: return part(answer, response, request)
        default: break
        }
        if isStorable(answer, response, request) { return .store }
        // A refusal or a fault says nothing about what was there before.
        return answer.status.kind == .clientError && ![404, 405, 410, 414].contains(answer.status.code) || answer.status.code >= 500 ? .pass : .forget
    }

    private func isMethodStored(_ answer: Answer, _ response: CacheDirectives) -> Bool {
        if answer.method == .get || rule.isTimed { return true }
        // RFC 9110 §9.3.3: what a POST made, and says it is what a GET would bring.
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
            // §5.2.2.3: who understands the status may ignore no-store.
            if !Self.understood.contains(answer.status.code) { return false }
        } else if response.isNoStore {
            return false
        }
        return rule.isTimed || isOfUse(answer, response)
    }

    /// §3, last point, and whether anything could come of it: something neither fresh nor to be validated is never used.
    private func isOfUse(_ answer: Answer, _ response: CacheDirectives) -> Bool {
        let isAllowed =
            response.isPublic || response.isPrivate != nil || CacheFreshness.isStated(answer.headers, response)
            || CacheFreshness.isHeuristicallyCacheable(answer.status)
        // Past its time at once, it is still used for as long as RFC 5861 says.
        let isUsedStale = response.staleWhileRevalidate ?? 0 > 0 || response.staleIfError ?? 0 > 0
        let isUsed = isUsedStale || CacheFreshness.isStated(answer.headers, response) || CacheValidation.hasValidator(answer.headers)
        return isAllowed && isUsed
    }

    /// §3.3: one range of a body of known length.
    private func part(_ answer: Answer, _ response: CacheDirectives, _ request: CacheDirectives) -> Decision {
        guard answer.method == .get, !rule.isTimed, isStorable(answer, response, request), !answer.headers.contains(.contentEncoding),
            let range = ReceivedRange(answer.headers)
        else { return .pass }
        return .storePart(offset: range.offset, length: range.length, total: range.total)
    }

    /// What the bytes of a body are; `nil` when nobody can say, and they are not stored.
    ///
    /// A transport that takes codings off by itself does not tell which. Where it leaves the field, it may have left the
    /// coding; it has, where no transport knows it. A length that is still that of the body shows that there was none.
    static func form(of response: Response, isDecoded: Bool, transportDecodes: Bool) -> CacheEntry.Form? {
        guard isDecoded || transportDecodes else { return .plain }
        let codings = response.headers[values: .contentEncoding].flatMap { $0.lowercased().split(separator: ",") }.map(\.trimmed)
            .filter { !$0.isEmpty && $0 != "identity" }
        if isDecoded { return codings.isEmpty ? .decoded : nil }
        guard codings.isEmpty else { return codings.contains(where: takenOff.contains) ? nil : .plain }
        guard let length = response.headers[values: .contentLength].first.flatMap({ Int64($0) }) else { return .decoded }
        return response.body.collected.map { Int64($0.count) == length } ?? true ? .plain : .decoded
    }

    /// The codings that some transport takes off by itself (libcurl knows the most).
    private static let takenOff: Set<String> = ["gzip", "x-gzip", "deflate", "br", "zstd"]

    /// Statuses whose meaning is known here: those registered (RFC 9110 §15).
    private static let understood: Set<Int> = Set(
        [200...206, 300...305, 307...308, 400...417, 421...422, 426...426, 428...429, 431...431, 451...451, 500...505, 511...511].joined())
}
