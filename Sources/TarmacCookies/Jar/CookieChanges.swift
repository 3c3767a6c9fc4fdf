#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The changes of the cookies of a jar since it last updated its store.
public struct CookieChanges: Sendable {
    /// A change of one cookie. Another jar may have changed the same cookie in the store.
    public enum Change: Sendable, Hashable {
        /// The cookie replaces the one in the store.
        case set(Cookie)
        /// The cookie was used later. It replaces the one in the store if both are equal apart from their last use.
        case used(Cookie)
        /// The cookie with this name, domain and path is removed.
        case removed(Cookie)
        /// The cookie has expired. It is removed unless it was set again by another jar.
        case expired(Cookie)

        /// The cookie.
        public var cookie: Cookie {
            switch self {
            case .set(let cookie), .used(let cookie), .removed(let cookie), .expired(let cookie): cookie
            }
        }
    }

    /// The changes of each principal, by its text, in their order.
    public var principals: [String: [Change]]
    /// The time of the changes.
    public var date: Date
    /// The cookies that the changed and removed ones replace in the store, as the jar knows it, by principal.
    package var bases: [String: [CookieKey: Cookie]] = [:]

    public init(principals: [String: [Change]], date: Date) {
        self.principals = principals
        self.date = date
    }

    /// Returns the saved cookies after the changes, without expired ones.
    public func applied(to saved: [String: [Cookie]]) -> [String: [Cookie]] {
        var saved = saved
        for (principal, changes) in principals {
            var cookies = Dictionary(saved[principal, default: []].map { (CookieKey($0), $0) }) { $1 }
            for change in changes { change.apply(to: &cookies) }
            saved[principal] = Array(cookies.values).inOrder
        }
        return saved.mapValues { $0.filter { !$0.isExpired(at: date) } }.filter { !$0.value.isEmpty }
    }

    /// Returns the changes without those that would replace or remove what another jar has saved since this one read the store, or bring
    /// back what it has removed: a log-out, or the login of another user. No jar has removed a cookie that has expired.
    package func withoutConflicts(with saved: [String: [Cookie]]) -> CookieChanges {
        var changes = self
        for (principal, own) in principals {
            let cookies = Dictionary(saved[principal, default: []].map { (CookieKey($0), $0) }) { $1 }
            changes.principals[principal] = own.filter { change in
                switch change {
                case .used, .expired: return true
                case .removed(let cookie):
                    let key = CookieKey(cookie)
                    return cookies[key].map { $0.isLike(cookie) || bases[principal]?[key]?.isLike($0) == true } ?? true
                case .set(let cookie):
                    let key = CookieKey(cookie), base = bases[principal]?[key].flatMap { $0.isExpired(at: date) ? nil : $0 }
                    return cookies[key].map { base?.isLike($0) == true } ?? (base == nil)
                }
            }
        }
        return changes
    }
}

extension CookieChanges.Change {
    func apply(to cookies: inout [CookieKey: Cookie]) {
        let key = CookieKey(cookie)
        switch self {
        case .set(let cookie): cookies[key] = cookie
        case .used(let cookie): if cookies[key]?.isLike(cookie) == true { cookies[key] = cookie }
        case .removed: cookies[key] = nil
        case .expired(let cookie): if cookies[key]?.isLike(cookie) == true { cookies[key] = nil }
        }
    }
}
