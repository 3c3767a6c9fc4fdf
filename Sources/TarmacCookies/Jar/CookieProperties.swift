import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The properties of a cookie in another storage, such as that of a web view (pure).
struct CookieProperties {
    var name: String
    var value: String
    /// The domain, with a leading dot if subdomains receive the cookie too.
    var domain: String
    var path = "/"
    /// The expiry date. `nil` for a cookie that ends with its session.
    var expires: Date?
    var isSecure = false
    var isHTTPOnly = false
    /// The value of the SameSite attribute. `nil` if there is none.
    var sameSite: String?

    /// Returns the cookie if a server of its domain could have set it, so that the rules of Set-Cookie also apply here
    /// (RFC 6265bis §5.7).
    func cookie(at date: Date) -> Cookie? {
        let host = (domain.hasPrefix(".") ? String(domain.dropFirst()) : domain).lowercased()
        // Distant dates cannot be written. Within these bounds they have the same meaning.
        let bounded = expires.map { min(max($0, Date(timeIntervalSince1970: 0)), date.addingTimeInterval(CookieRule.longest)) }
        let said = Cookie(
            name: name, value: value, domain: host, path: path, expires: bounded, isHostOnly: !domain.hasPrefix("."), isSecure: isSecure,
            isHTTPOnly: isHTTPOnly, sameSite: sameSite.flatMap { SameSite(rawValue: $0.lowercased()) } ?? .unspecified, created: date,
            lastUsed: date)
        guard let url = try? HTTPURL("\(isSecure ? "https" : "http")://\(host)/"),
            let cookie = try? CookieRule(url: url, date: date).cookie(of: said.setCookieField)
        else { return nil }
        // A semicolon or a blank in the wrong place would have changed the cookie.
        return cookie.isReplaced(by: said) && cookie.value == value ? cookie : nil
    }
}

extension CookieProperties: MaskedReflectable {
    /// The name, domain and path, never the value.
    var description: String { "\(name) of \(domain)\(path)" }
}
