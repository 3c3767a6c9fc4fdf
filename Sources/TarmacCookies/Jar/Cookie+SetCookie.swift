#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Cookie {
    /// The Set-Cookie field that sets the cookie again: the way into another store of cookies.
    var setCookieField: String {
        var field = name.isEmpty ? value : "\(name)=\(value)"
        field += "; Path=\(path)"
        if !isHostOnly { field += "; Domain=\(domain)" }
        if let expires { field += "; Expires=\(CookieDate.text(expires))" }
        if isSecure { field += "; Secure" }
        if isHTTPOnly { field += "; HttpOnly" }
        switch sameSite {
        case .strict: field += "; SameSite=Strict"
        case .lax: field += "; SameSite=Lax"
        case .none: field += "; SameSite=None"
        case .unspecified: break
        }
        return field
    }

    /// Where it could have come from.
    var setCookieURL: String { "\(isSecure ? "https" : "http")://\(domain)\(path)" }
}
