import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Decides whether a cookie that a server sets is kept (RFC 6265bis §5.7.3; pure).
struct CookieRule {
    let url: HTTPURL
    let date: Date

    /// The reason why a cookie is refused.
    enum Refusal: Error, Equatable {
        case malformed, domainMismatch, publicSuffix, insecure, prefix, sameSiteWithoutSecure
    }

    /// §5.5: the longest life of a cookie is 400 days.
    static let longest: Double = 400 * 86_400

    /// Returns the cookie of a Set-Cookie field.
    ///
    /// - Throws: ``Refusal``.
    func cookie(of field: String) throws(Refusal) -> Cookie {
        guard let set = SetCookie(field) else { throw .malformed }
        let domain = try domain(of: set)
        let cookie = Cookie(
            name: set.name, value: set.value, domain: domain ?? url.host, path: set.path ?? CookieRules.defaultPath(url.path),
            expires: expiry(of: set), isHostOnly: domain == nil, isSecure: set.isSecure, isHTTPOnly: set.isHTTPOnly,
            sameSite: set.sameSite, created: date, lastUsed: date)
        if cookie.isSecure, !CookieRules.isTrusted(url) { throw .insecure }
        if cookie.sameSite == .none, !cookie.isSecure { throw .sameSiteWithoutSecure }
        try checkPrefix(cookie, hasRootPath: set.path == "/", namesAddress: domain == nil && CookieRules.isAddress(set.domain ?? ""))
        return cookie
    }

    /// Returns the domain of the cookie, or `nil` if it is only for its host.
    private func domain(of set: SetCookie) throws(Refusal) -> String? {
        guard let text = set.domain, !text.isEmpty else { return nil }
        // A name outside ASCII must be in Punycode (§5.7.3 step 8).
        guard text.utf8.allSatisfy({ $0 < 0x80 }), !text.contains(where: { "/:?#@\\".contains($0) }),
            let domain = (try? HTTPURL("http://\(text)/"))?.host
        else {
            throw .domainMismatch
        }
        if PublicSuffixList.contains(domain) {
            // A host that is itself a public suffix may set cookies for itself.
            guard domain == url.host else { throw .publicSuffix }
            return nil
        }
        guard CookieRules.domainMatches(url.host, domain) else { throw .domainMismatch }
        return CookieRules.isAddress(url.host) ? nil : domain
    }

    private func expiry(of set: SetCookie) -> Date? {
        let latest = date.addingTimeInterval(Self.longest)
        if let age = set.maxAge { return age <= 0 ? .distantPast : min(date.addingTimeInterval(min(Double(age), 0x1p40)), latest) }
        return set.expires.map { min($0, latest) }
    }

    /// Checks the rules of the name prefixes. A cookie without a name must not look like one with a prefix (§5.7.3,
    /// §4.1.3).
    private func checkPrefix(_ cookie: Cookie, hasRootPath: Bool, namesAddress: Bool) throws(Refusal) {
        let name = cookie.name.lowercased()
        if name.isEmpty {
            let value = cookie.value.lowercased()
            if value.hasPrefix("__secure-") || value.hasPrefix("__host-") { throw .prefix }
        }
        if name.hasPrefix("__secure-"), !cookie.isSecure { throw .prefix }
        if name.hasPrefix("__host-"), !(cookie.isSecure && cookie.isHostOnly && hasRootPath && !namesAddress) { throw .prefix }
    }
}
