#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Cookie {
    /// The Set-Cookie field that sets the cookie again, for another cookie store.
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

    /// A URL that could have set the cookie.
    var setCookieURL: String { "\(isSecure ? "https" : "http")://\(domain)\(path)" }
}
