import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The cookies of a principal in a jar.
final class CookieOwner {
    let scope: CookieScope
    /// The principal's text in the store. `nil` if its cookies are not saved.
    let text: String?
    let table: CookieTable
    /// The number of the last use.
    var step = 0

    init(_ scope: CookieScope, text: String?, limits: CookieLimits) {
        (self.scope, self.text) = (scope, text)
        table = CookieTable(limits: limits, isSaved: text != nil)
    }
}

/// The state of a jar: the tables of its principals, and the changes that its store must still learn of.
struct CookieJarState {
    let limits: CookieLimits
    private let hasStore: Bool
    private var owners: [CookieScope: CookieOwner] = [:]
    /// The owner that was used last.
    private var recent: CookieOwner?
    /// The uses of owners in their order. Only the last entry of each owner counts.
    private var uses: [(owner: CookieOwner?, step: Int)] = []
    private var firstUse = 0
    private var steps = 0
    /// The stored cookies of principals that were not used yet.
    private var stored: [String: [Cookie]] = [:]
    /// Principals above the limit whose cookies the store contains.
    private var resting: [String: CookieOwner] = [:]
    /// Whether there is a store and it was read.
    private(set) var isLoaded = false
    /// The reading of the store that calls wait for.
    var reading = CookieReading()
    var writing = CookieWriting()
    /// The owners whose changes are being written.
    private var written: [CookieOwner] = []
    /// The error of the last write.
    var failure: (any Error)?
    /// The time of the last change.
    private var date = Date.distantPast

    init(limits: CookieLimits, hasStore: Bool) { (self.limits, self.hasStore) = (limits, hasStore) }

    var cookies: [Cookie] { owners.values.flatMap(\.table.all) }

    // MARK: Principals

    /// Returns the table of a principal. The first access takes its cookies from the stored ones.
    mutating func table(of scope: CookieScope) -> CookieTable {
        if let recent, recent.scope == scope { return recent.table }
        let owner = owners[scope] ?? restored(scope)
        owners[scope] = owner
        steps += 1
        owner.step = steps
        uses.append((owner, steps))
        recent = owner
        if owners.count > max(limits.principals, 1) { rest() }
        if uses.count > 2 * owners.count + 64 { forgetOldUses() }
        return owner.table
    }

    private mutating func restored(_ scope: CookieScope) -> CookieOwner {
        let text = hasStore ? scope.durableText : nil
        if let text, let owner = resting.removeValue(forKey: text) { return owner }
        let owner = CookieOwner(scope, text: text, limits: limits)
        if let text, let cookies = stored.removeValue(forKey: text) { owner.table.restore(cookies) }
        return owner
    }

    /// Forgets the principal that was unused for longest. Its durable cookies stay for its next use, as in the store.
    private mutating func rest() {
        while firstUse < uses.count {
            let (user, step) = uses[firstUse]
            uses[firstUse].owner = nil
            firstUse += 1
            guard let owner = user, owner.step == step else { continue }
            owners[owner.scope] = nil
            guard let text = owner.text else { return }
            owner.table.remove { $0.expires == nil }
            resting[text] = owner
            return
        }
    }

    private mutating func forgetOldUses() {
        uses = uses[firstUse...].filter { $0.owner?.step == $0.step }
        firstUse = 0
    }

    mutating func load(_ cookies: [String: [Cookie]], at date: Date) {
        if isLoaded { return }
        isLoaded = true
        self.date = date
        stored = cookies
    }

    mutating func remove(at date: Date, where isGone: (Cookie) -> Bool) {
        self.date = date
        for owner in owners.values { owner.table.remove(where: isGone) }
        for owner in resting.values { owner.table.remove(where: isGone) }
        for text in stored.keys { stored[text]?.removeAll(where: isGone) }
    }

    // MARK: Writing

    /// Returns whether a write must be scheduled after a change of a table, and the error of the last write.
    mutating func noteChanges(of table: CookieTable, at date: Date) -> (mustWrite: Bool, failure: (any Error)?) {
        self.date = date
        defer { failure = nil }
        return (table.hasChanges && writing.change(), failure)
    }

    /// The next step of the call that writes.
    enum WriteStep {
        case write(CookieChanges)
        /// Everything was tried. The calls that wait go on.
        case end([CheckedContinuation<Void, Never>])
    }

    /// Returns the next step of the call that writes. `isFirst` is `true` for its first one.
    mutating func nextStep(isFirst: Bool) -> WriteStep {
        guard isFirst || writing.goesOn() else { return .end(writing.end()) }
        let changes = takeChanges()
        return changes.isEmpty ? .end(writing.end()) : .write(CookieChanges(principals: changes, date: date))
    }

    private mutating func takeChanges() -> [String: [CookieChanges.Change]] {
        var changes: [String: [CookieChanges.Change]] = [:]
        for owner in [Array(owners.values), Array(resting.values)].joined() {
            guard let text = owner.text else { continue }
            let own = owner.table.takeChanges(at: date)
            if own.isEmpty { continue }
            changes[text] = own
            written.append(owner)
        }
        return changes
    }

    /// Notes whether the changes were written.
    mutating func settle(_ failure: (any Error)?) {
        for owner in written { owner.table.settle(isWritten: failure == nil) }
        written = []
        self.failure = failure
    }
}
