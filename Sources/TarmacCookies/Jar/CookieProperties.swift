import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What another keeper of cookies, such as a web view, says of one (pure).
struct CookieProperties {
    var name: String
    var value: String
    /// With a leading dot where it goes to subdomains too.
    var domain: String
    var path = "/"
    /// `nil` for a cookie that ends with its session.
    var expires: Date?
    var isSecure = false
    var isHTTPOnly = false
    /// As a SameSite attribute has it; `nil` where nothing was said.
    var sameSite: String?

    /// The cookie, if a server of its domain could have set it: nothing gets past the rules of Set-Cookie this way (RFC 6265bis §5.7).
    func cookie(at date: Date) -> Cookie? {
        let host = (domain.hasPrefix(".") ? String(domain.dropFirst()) : domain).lowercased()
        // Dates far away cannot be written; within these bounds they mean the same.
        let bounded = expires.map { min(max($0, Date(timeIntervalSince1970: 0)), date.addingTimeInterval(CookieRule.longest)) }
        let said = Cookie(
            name: name, value: value, domain: host, path: path, expires: bounded, isHostOnly: !domain.hasPrefix("."), isSecure: isSecure,
            isHTTPOnly: isHTTPOnly, sameSite: sameSite.flatMap { SameSite(rawValue: $0.lowercased()) } ?? .unspecified, created: date,
            lastUsed: date)
        guard let url = try? HTTPURL("\(isSecure ? "https" : "http")://\(host)/"),
            let cookie = try? CookieRule(url: url, date: date).cookie(of: said.setCookieField)
        else { return nil }
        // A semicolon or a blank where none can be would have made another cookie of it.
        return cookie.isReplaced(by: said) && cookie.value == value ? cookie : nil
    }
}

extension CookieProperties: CustomStringConvertible, CustomReflectable {
    /// Never the value.
    var description: String { "\(name) of \(domain)\(path)" }
    var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
