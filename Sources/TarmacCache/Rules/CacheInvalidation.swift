import HTTPTypes
import TarmacCore

/// The effect of a change on stored responses (RFC 9111 §4.4).
enum CacheInvalidation {
    /// The result of a HEAD for a stored GET.
    enum HeadVerdict: Sendable {
        case confirms, contradicts, saysNothing
    }

    /// Returns whether a HEAD shows that the stored response has changed (§4.3.5) or no longer exists.
    static func verdict(ofHead status: HTTPResponse.Status, _ headers: HTTPFields, on stored: CacheEntry) -> HeadVerdict {
        switch status.code {
        case 200: stored.part == nil && stored.status != .ok || contradicts(headers, stored) ? .contradicts : .confirms
        case 404, 410: stored.status == status ? .saysNothing : .contradicts
        default: .saysNothing
        }
    }

    private static func contradicts(_ head: HTTPFields, _ stored: CacheEntry) -> Bool {
        for name in [HTTPField.Name.eTag, .lastModified] {
            if let new = head[values: name].first, !stored.headers[values: name].first.isExactly(new) { return true }
        }
        guard stored.form == .plain, !head.contains(.contentEncoding), let length = head[values: .contentLength].first else { return false }
        return Int64(length) != stored.part?.total ?? stored.bodyLength
    }
}
