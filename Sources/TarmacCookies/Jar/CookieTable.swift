import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The cookies of one principal (RFC 6265bis §5.7, §5.8), without a clock.
///
/// Cookies are found by domain and path, and each order of removal is kept, so that no operation looks
/// at all of them. The jar uses a table under its lock.
final class CookieTable {
    private var nodes: [CookieKey: CookieNode] = [:]
    private var domains: [String: CookieDomain] = [:]
    /// The Secure cookies of the subdomains of a domain, by name and path.
    private var secureBelow: [CookieFamily: CookiePaths] = [:]
    private var byUse = CookieHeap<LeastRecentOrder>()
    private var byExpiry = CookieHeap<ExpiryOrder>()
    /// The time of the last new cookie, and the creation date that it was given.
    private var latest = (date: Date.distantPast, created: Date.distantPast)
    /// The number of changes.
    private var number = 0
    private var visits = 0
    /// Hosts that have no cookies, nor have their parent domains.
    private var strangers: Set<String> = []
    /// The changes since the store of the jar was last updated. `nil` if there is no store for the principal.
    private var log: CookieLog?
    let limits: CookieLimits

    init(limits: CookieLimits, isSaved: Bool = false) {
        self.limits = limits
        if isSaved { log = CookieLog() }
    }

    var all: [Cookie] { nodes.values.map(\.cookie).inOrder }
    var count: Int { nodes.count }
    /// The number of cookies looked at and of comparisons so far, for tests of growth.
    var steps: Int { domains.values.reduce(visits + byUse.comparisons + byExpiry.comparisons) { $0 + $1.heap.comparisons } }
    /// Whether the store of the jar must be updated. A later use of a cookie alone is written with the next change.
    var hasChanges: Bool { log?.hasChanges ?? false }
    /// Whether there are changes or later uses that the store does not have.
    var hasNotes: Bool { log?.hasNotes ?? false }

    // MARK: Sending

    /// Returns the cookies for a request: the longest path first, then the oldest first.
    func cookies(for url: HTTPURL, at date: Date) -> [Cookie] { sent(to: url, at: date).map(\.cookie) }

    /// Returns the text of the Cookie field for a request, or `nil` for none.
    func field(for url: HTTPURL, at date: Date) -> String? {
        let sent = sent(to: url, at: date)
        guard let first = sent.first else { return nil }
        return sent.dropFirst().reduce(into: first.cookie.pair) { text, node in
            text += "; "
            text += node.cookie.pair
        }
    }

    private func sent(to url: HTTPURL, at date: Date) -> [CookieNode] {
        if nodes.isEmpty || strangers.contains(url.host) { return [] }
        let known = CookieRules.domains(of: url.host).filter { domains[$0] != nil }
        if known.isEmpty { return noteStranger(url.host) }
        let isTrusted = CookieRules.isTrusted(url)
        var found: [CookieNode] = []
        for domain in known {
            visit(domain, url.path) { node in
                guard node.cookie.isSent(to: url.host, isTrusted: isTrusted, at: date) else { return }
                found.append(node)
            }
        }
        for node in found { use(node, at: date) }
        if found.count > 1 { found.sort { $0.isSent(before: $1) } }
        return found
    }

    private func noteStranger(_ host: String) -> [CookieNode] {
        if strangers.count >= 64 { strangers = [] }
        strangers.insert(host)
        return []
    }

    /// Calls `body` with the cookies of a domain whose path a request's path matches.
    private func visit(_ domain: String, _ path: String, _ body: (CookieNode) -> Void) {
        if let stored = domains[domain] { visits += stored.visit(path, body) }
    }

    private func use(_ node: CookieNode, at date: Date) {
        guard node.cookie.lastUsed != date else { return }
        node.cookie.lastUsed = date
        // The clock was set back: the cookie is the next to remove earlier than its place says.
        if date < node.placedUse { place(node) }
        log?.note(node, .used)
    }

    /// Moves a cookie to its places by its last use.
    private func place(_ node: CookieNode) {
        node.placedUse = node.cookie.lastUsed
        byUse.moved(node)
        domains[node.cookie.domain]?.moved(node)
    }

    // MARK: Keeping

    /// Keeps a cookie and replaces an earlier one. An expired cookie removes the earlier one.
    ///
    /// - Returns: whether anything changed. Nothing does if an untrusted connection would replace a Secure cookie.
    @discardableResult
    func keep(_ cookie: Cookie, isTrusted: Bool, at date: Date) -> Bool {
        if !cookie.isSecure, !isTrusted, overlaysSecure(cookie, at: date) { return false }
        let old = nodes[CookieKey(cookie)]
        if cookie.isExpired(at: date) {
            if let old { remove(old) }
            return old != nil
        }
        if let old { replace(old, with: cookie) } else { insert(cookie) }
        evict(around: cookie.domain, at: date)
        return true
    }

    /// Adds the cookies that the store contains.
    func restore(_ cookies: [Cookie]) {
        let log = log
        self.log = nil
        for cookie in cookies {
            if let old = nodes[CookieKey(cookie)] { replace(old, with: cookie) } else { insert(cookie) }
            nodes[CookieKey(cookie)]?.stored = cookie
        }
        self.log = log
        for domain in Array(domains.keys) { evict(around: domain, at: .distantPast) }
    }

    /// Takes what another jar has changed in the store. Changes that are not written yet stay.
    func refresh(_ cookies: [Cookie]) {
        let own = log
        log = nil
        var saved: [CookieKey: Cookie] = [:]
        for cookie in cookies { saved[CookieKey(cookie)] = cookie }
        for node in Array(nodes.values) where node.isStored && node.isSettled && node.cookie.expires != nil {
            if saved[CookieKey(node.cookie)] == nil { remove(node) }
        }
        var foreign: [Cookie] = []
        for (key, cookie) in saved where own?.isRemoving(key) != true {
            guard let node = nodes[key] else {
                foreign.append(cookie)
                continue
            }
            if node.isSettled, node.stored?.isLike(cookie) != true { foreign.append(cookie) }
        }
        log = own
        restore(foreign)
    }

    /// Notes that the store has lost the cookies.
    func noteLost() {
        for node in nodes.values where node.isStored {
            node.stored = nil
            log?.note(node, .changed)
        }
    }

    private func insert(_ cookie: Cookie) {
        let node = CookieNode(cookie)
        node.cookie.created = age(of: cookie)
        nodes[CookieKey(cookie)] = node
        linkExpiry(node)
        linkSecure(node)
        byUse.insert(node)
        if domains[cookie.domain] == nil { strangers = [] }
        domains[cookie.domain, default: CookieDomain()].insert(node)
        log?.note(node, .changed)
    }

    private func replace(_ node: CookieNode, with cookie: Cookie) {
        let old = node.cookie
        // Name, domain and path are the same, so a Secure cookie that stays one keeps its places below the parent domains.
        let isFoundAlike = old.isSecure == cookie.isSecure
        if !isFoundAlike { unlinkSecure(node) }
        unlinkExpiry(node)
        node.cookie = cookie
        node.cookie.created = old.created
        linkExpiry(node)
        if !isFoundAlike { linkSecure(node) }
        place(node)
        log?.note(node, replacing: old)
    }

    /// Registers a cookie where it is found by its expiry date.
    private func linkExpiry(_ node: CookieNode) {
        number += 1
        node.number = number
        if node.cookie.expires != nil { byExpiry.insert(node) }
    }

    private func unlinkExpiry(_ node: CookieNode) {
        if node.expiryPlace >= 0 { byExpiry.remove(node) }
    }

    /// Registers a Secure cookie where it is found below the parents of its domain.
    private func linkSecure(_ node: CookieNode) {
        guard node.cookie.isSecure else { return }
        for domain in CookieRules.domains(of: node.cookie.domain).dropFirst() {
            secureBelow[CookieFamily(domain: domain, name: node.cookie.name), default: CookiePaths()].insert(node)
        }
    }

    private func unlinkSecure(_ node: CookieNode) {
        guard node.cookie.isSecure else { return }
        for domain in CookieRules.domains(of: node.cookie.domain).dropFirst() {
            let family = CookieFamily(domain: domain, name: node.cookie.name)
            secureBelow[family]?.remove(node)
            if secureBelow[family]?.isEmpty == true { secureBelow[family] = nil }
        }
    }

    /// Returns the creation date. Cookies of the same moment, such as those of one response, receive different dates,
    /// so that they are sent in their order of arrival (§5.8.3).
    private func age(of cookie: Cookie) -> Date {
        latest = (cookie.created, cookie.created == latest.date ? latest.created + 1e-6 : cookie.created)
        return latest.created
    }

    /// §5.7.3 step 16: an attacker on an open network must not replace a cookie that was set over TLS. The domain of one
    /// of them is that of the other or one of its parents.
    private func overlaysSecure(_ cookie: Cookie, at date: Date) -> Bool {
        if nodes.isEmpty { return false }
        func isProtected(by node: CookieNode) -> Bool {
            visits += 1
            let other = node.cookie
            return other.isSecure && !other.isExpired(at: date) && other.name.utf8.elementsEqual(cookie.name.utf8)
                && CookieRules.pathMatches(cookie.path, other.path)
        }
        for domain in CookieRules.domains(of: cookie.domain) {
            var isFound = false
            visit(domain, cookie.path) { isFound = isFound || isProtected(by: $0) }
            if isFound { return true }
        }
        guard let below = secureBelow[CookieFamily(domain: cookie.domain, name: cookie.name)] else { return false }
        let looked = below.contains(cookie.path, where: isProtected)
        visits += looked.steps
        return looked.isFound
    }

    // MARK: Removing

    /// Removes cookies above the limits: expired ones first, then in a full domain those that are not Secure, then
    /// others of that domain, then those of any domain; in each group the least recently used.
    private func evict(around domain: String, at date: Date) {
        if surplus(of: domain) == nil, count <= limits.total { return }
        removeExpired(at: date)
        while let node = surplus(of: domain) { removeUnlessUsed(node) }
        while count > limits.total, let node = byUse.first { removeUnlessUsed(node) }
    }

    /// Removes the first cookie of an order, unless it was used since it has its place.
    private func removeUnlessUsed(_ node: CookieNode) {
        if node.placedUse == node.cookie.lastUsed { remove(node) } else { place(node) }
    }

    /// Returns the cookie that a domain above its limit loses next.
    private func surplus(of domain: String) -> CookieNode? {
        guard let stored = domains[domain], stored.count > limits.perDomain else { return nil }
        return stored.heap.first
    }

    func hasExpired(at date: Date) -> Bool { byExpiry.first?.cookie.isExpired(at: date) == true }

    func removeExpired(at date: Date) {
        while let node = byExpiry.first, node.cookie.isExpired(at: date) { remove(node, isExpired: true) }
    }

    func remove(where isGone: (Cookie) -> Bool) {
        for node in nodes.values.filter({ isGone($0.cookie) }) { remove(node) }
    }

    private func remove(_ node: CookieNode, isExpired: Bool = false) {
        node.isLive = false
        nodes[CookieKey(node.cookie)] = nil
        unlinkExpiry(node)
        unlinkSecure(node)
        byUse.remove(node)
        let domain = node.cookie.domain
        domains[domain]?.remove(node)
        if domains[domain]?.count == 0 { domains[domain] = nil }
        log?.noteRemoved(node, isExpired: isExpired)
    }

    // MARK: The store

    /// Returns the changes to write. ``settle(isWritten:)`` must follow.
    func takeChanges(at date: Date) -> [CookieChanges.Change] {
        guard log != nil else { return [] }
        removeExpired(at: date)
        return log?.take() ?? []
    }

    /// The cookies in the store that the changes which were taken replace.
    var bases: [CookieKey: Cookie] { log?.bases ?? [:] }

    /// Notes whether the changes that were taken are written. Others are written with the next ones.
    func settle(isWritten: Bool) { log?.settle(isWritten: isWritten) }
}

extension Cookie {
    /// Whether the cookie is sent to a host at or below its domain.
    fileprivate func isSent(to host: String, isTrusted: Bool, at date: Date) -> Bool {
        (!isHostOnly || host == domain) && !isExpired(at: date) && (!isSecure || isTrusted)
    }
}
