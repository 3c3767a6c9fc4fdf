#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A cookie in a table, with its places in the table's orders. Only its table touches it.
final class CookieNode {
    var cookie: Cookie
    /// The last use that determines the places of the cookie. Sending a cookie does not move it: a cookie that may be removed is
    /// moved first.
    var placedUse: Date
    /// The number of the last change, for cookies that were last used at the same time.
    var number = 0
    /// The places in the three heaps. -1 outside of the heap.
    var usePlace = -1, expiryPlace = -1, domainPlace = -1
    /// Whether the table contains the cookie.
    var isLive = true
    /// The change that the store must still learn of.
    var change = Change.none
    /// Whether the log of the table lists the cookie.
    var isNoted = false
    /// The cookie whose change is being written.
    var beingWritten: Cookie?
    var isBeingWritten: Bool { beingWritten != nil }
    /// The cookie with this name, domain and path in the store, as the jar knows it.
    var stored: Cookie?
    /// Whether there is one.
    var isStored: Bool { stored != nil }
    /// Whether the store has the cookie as it is here.
    var isSettled: Bool { change != .changed && !isBeingWritten }

    enum Change { case none, used, changed }

    init(_ cookie: Cookie) { (self.cookie, placedUse) = (cookie, cookie.lastUsed) }

    /// Whether the cookie is before another in the order of use.
    func isLessRecent(than other: CookieNode) -> Bool {
        placedUse != other.placedUse ? placedUse < other.placedUse : number < other.number
    }

    /// Whether a request sends the cookie before another: the longest path first, then the oldest.
    func isSent(before other: CookieNode) -> Bool {
        let lengths = (cookie.path.utf8.count, other.cookie.path.utf8.count)
        if lengths.0 != lengths.1 { return lengths.0 > lengths.1 }
        return cookie.created != other.cookie.created ? cookie.created < other.cookie.created : cookie.name < other.cookie.name
    }
}

extension CookieNode: Hashable {
    static func == (one: CookieNode, other: CookieNode) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// All cookies of a table: the least recently used first.
enum LeastRecentOrder: CookieOrder {
    static func precedes(_ one: CookieNode, _ other: CookieNode) -> Bool { one.isLessRecent(than: other) }
    static func place(of node: CookieNode) -> Int { node.usePlace }
    static func setPlace(of node: CookieNode, to place: Int) { node.usePlace = place }
}

/// The cookies with an expiry date: the first to expire first.
enum ExpiryOrder: CookieOrder {
    static func precedes(_ one: CookieNode, _ other: CookieNode) -> Bool {
        (one.cookie.expires ?? .distantFuture) < (other.cookie.expires ?? .distantFuture)
    }
    static func place(of node: CookieNode) -> Int { node.expiryPlace }
    static func setPlace(of node: CookieNode, to place: Int) { node.expiryPlace = place }
}

/// The cookies of one domain: those that are not Secure first, and among them the least recently used.
enum DomainOrder: CookieOrder {
    static func precedes(_ one: CookieNode, _ other: CookieNode) -> Bool {
        one.cookie.isSecure != other.cookie.isSecure ? other.cookie.isSecure : one.isLessRecent(than: other)
    }
    static func place(of node: CookieNode) -> Int { node.domainPlace }
    static func setPlace(of node: CookieNode, to place: Int) { node.domainPlace = place }
}
