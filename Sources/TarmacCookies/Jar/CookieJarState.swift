import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The state of a jar: the tables of its principals, and the changes that its store must still learn of.
struct CookieJarState {
    let limits: CookieLimits
    private let storage: CookieStorage
    private var owners: [CookieScope: CookieOwner] = [:]
    /// The owner that was used last.
    private var recent: CookieOwner?
    /// The uses of owners in their order. Only the last entry of each owner counts.
    private var uses: [(owner: CookieOwner?, step: Int)] = []
    private var firstUse = 0
    /// How many owners each write looks at for cookies that have expired.
    private static let expiryChecks = 16
    /// The place in `uses` where the next of these looks begins.
    private var nextCheck = 0
    private var steps = 0
    /// The stored cookies of principals that were not used yet.
    private var stored: [String: [Cookie]] = [:]
    /// Principals above the limit: those with changes that are not written, and all with cookies if the store cannot be read by
    /// principal.
    private var resting: [String: CookieOwner] = [:]
    /// The owners whose changes the store must still learn of.
    private var changed: [CookieOwner] = []
    /// The number of owners that were looked at for a write, for tests of growth.
    private(set) var visits = 0
    /// Whether a principal was forgotten whose cookies the store contains.
    private var hasForgotten = false
    /// The number of removals that began or ended, and of those under way.
    private var removals = (steps: 0, underWay: 0)
    /// The owners that were read from the store during a removal.
    private var readMeanwhile: [CookieOwner] = []
    /// Whether a principal with later uses that are not written went to rest.
    private var mustWrite = false
    /// Whether there is a store and it was read.
    private(set) var isLoaded = false
    /// The version of the store that the jar knows. `nil` if it must be read again.
    private var version: String?
    /// The number of changes by other jars, for a store that is read by principal.
    private var generation = 0
    /// The readings of the whole store that have begun, and the last that counted.
    private var readings = (begun: 0, last: 0)
    private var writes = 0
    /// The reading of the store that calls wait for.
    var reading = CookieReading()
    var writing = CookieWriting()
    /// The owners whose changes are being written.
    private var written: [CookieOwner] = []
    /// The error of the last write.
    var failure: (any Error)?
    /// The number of writes that have failed in a row.
    private var failedWrites = 0
    /// The pause before the next of them. It doubles after the fourth failure.
    var retryPause: Duration { CookieWriting.delay.doubled(failedWrites - 4, atMost: .seconds(60)) }
    /// The time of the last change.
    private var date = Date.distantPast

    init(limits: CookieLimits, storage: CookieStorage) { (self.limits, self.storage) = (limits, storage) }

    var cookies: [Cookie] { owners.values.flatMap(\.table.all) }
    /// The number of principals in memory, for tests of growth.
    var principals: Int { owners.count + resting.count + stored.count }

    // MARK: Principals

    /// Returns the reading of the store that the next use of a principal needs, or `nil` if ``owner(of:_:)`` can be called.
    ///
    /// A principal could have come, changed and gone while `reading` was under way, and a removal could have begun. Then it is
    /// repeated.
    func reading(for scope: CookieScope, after reading: PrincipalReading?) -> PrincipalReading? {
        if !hasForgotten || recent?.scope == scope && recent?.generation == generation { return nil }
        let known = owners[scope]
        if known?.generation == generation { return nil }
        guard let text = scope.durableText, (known ?? resting[text])?.generation != generation, stored[text] == nil else { return nil }
        if let reading, steps - reading.step < max(limits.principals, 1), reading.removals == removals.steps, reading.writes == writes,
            reading.generation == generation
        {
            return nil
        }
        return PrincipalReading(principal: text, step: steps, removals: removals.steps, writes: writes, generation: generation)
    }

    /// Returns the owner of a principal's cookies. The first access takes them from the stored ones.
    mutating func owner(of scope: CookieScope, _ reading: PrincipalReading? = nil) -> CookieOwner {
        if let recent, recent.scope == scope, recent.generation == generation { return recent }
        let owner = owners[scope] ?? restored(scope, reading)
        if owner.generation != generation { refresh(owner, reading) }
        owners[scope] = owner
        steps += 1
        owner.step = steps
        uses.append((owner, steps))
        recent = owner
        if owners.count > max(limits.principals, 1) { rest() }
        if uses.count > 2 * owners.count + 64 { forgetOldUses() }
        return owner
    }

    /// Takes what other jars have changed.
    private mutating func refresh(_ owner: CookieOwner, _ reading: PrincipalReading?) {
        owner.generation = generation
        guard let reading else { return }
        owner.table.refresh(reading.cookies)
        if removals.underWay > 0 { readMeanwhile.append(owner) }
    }

    private mutating func restored(_ scope: CookieScope, _ reading: PrincipalReading?) -> CookieOwner {
        let text = storage == .none ? nil : scope.durableText
        if let text, let owner = resting.removeValue(forKey: text) { return owner }
        let owner = CookieOwner(scope, text: text, limits: limits, generation: generation)
        guard let text else { return owner }
        if let cookies = stored.removeValue(forKey: text) {
            owner.table.restore(cookies)
        } else if let reading {
            owner.table.restore(reading.cookies)
            if removals.underWay > 0 { readMeanwhile.append(owner) }
        }
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
            list(owner)
            // A write ends its stay in memory.
            if owner.isListed, storage == .byPrincipal { mustWrite = true }
            forget(owner, text)
            return
        }
    }

    /// Forgets a resting principal, unless its cookies could not be found again.
    private mutating func forget(_ owner: CookieOwner, _ text: String) {
        guard owner.isSettled, resting[text] === owner else { return }
        let isEmpty = owner.table.count == 0
        guard isEmpty || storage == .byPrincipal else { return }
        resting[text] = nil
        if !isEmpty { hasForgotten = true }
    }

    private mutating func forgetOldUses() {
        uses = uses[firstUse...].filter { $0.owner?.step == $0.step }
        firstUse = 0
    }

    // MARK: Reading

    /// Whether the whole store must be read before the next call.
    func needsReading(_ version: String?) -> Bool { !isLoaded || storage == .whole && isForeign(version) }

    private func isForeign(_ version: String?) -> Bool { version != nil && version != self.version }

    /// Returns the reading that must come before the next use, or `nil` if the jar knows this version of the store.
    mutating func beginReading(_ version: String?) -> StoreReading? {
        if isLoaded, !isForeign(version) { return nil }
        if isLoaded, storage == .byPrincipal {
            // Each principal is read at its next use.
            (self.version, stored, hasForgotten) = (version, [:], true)
            generation += 1
            return nil
        }
        readings.begun += 1
        return StoreReading(version: version, number: readings.begun, removals: removals.steps, writes: writes)
    }

    /// Takes the cookies of the store.
    ///
    /// - Returns: whether the reading counts. After a write or removal in the meantime it must be repeated.
    mutating func load(_ cookies: [String: [Cookie]], _ reading: StoreReading, at date: Date) -> Bool {
        if reading.number < readings.last { return true }
        if isLoaded, reading.writes != writes || reading.removals != removals.steps { return false }
        readings.last = reading.number
        version = reading.version
        self.date = max(self.date, date)
        isLoaded = true
        stored = cookies
        for owner in Array(owners.values) + Array(resting.values) {
            if let text = owner.text { owner.table.refresh(stored.removeValue(forKey: text) ?? []) }
        }
        return true
    }

    /// Goes on with the cookies that the jar has, because the store cannot be read. The next use reads it again, unless its content is gone.
    ///
    /// - Parameter isLost: whether what the store contained is gone, so that the jar writes its cookies again.
    mutating func noteUnread(_ reading: StoreReading, _ failure: any Error, isLost: Bool, at date: Date) {
        self.failure = failure
        self.date = max(self.date, date)
        isLoaded = true
        guard isLost else { return }
        version = reading.version
        for owner in Array(owners.values) + Array(resting.values) {
            owner.table.noteLost()
            list(owner)
        }
    }

    /// Removes cookies. ``endRemoval(where:)`` must follow when the store contains them no more.
    mutating func remove(at date: Date, where isGone: (Cookie) -> Bool) {
        self.date = date
        removals = (removals.steps + 1, removals.underWay + 1)
        for owners in [owners.values.map(\.self), resting.values.map(\.self)] { remove(from: owners, where: isGone) }
        for text in stored.keys { stored[text]?.removeAll(where: isGone) }
    }

    /// Removes the cookies of principals that were read from the store meanwhile.
    mutating func endRemoval(where isGone: (Cookie) -> Bool) {
        removals = (removals.steps + 1, removals.underWay - 1)
        remove(from: readMeanwhile, where: isGone)
        if removals.underWay == 0 { readMeanwhile = [] }
    }

    private mutating func remove(from owners: [CookieOwner], where isGone: (Cookie) -> Bool) {
        for owner in owners {
            owner.table.remove(where: isGone)
            list(owner)
        }
    }

    // MARK: Writing

    /// Lists an owner with something to write.
    mutating func list(_ owner: CookieOwner) {
        guard !owner.isListed, owner.table.hasNotes else { return }
        owner.isListed = true
        changed.append(owner)
    }

    /// Returns whether a write must be scheduled after a change of an owner's cookies, and the error of the last write.
    mutating func noteChanges(of owner: CookieOwner, at date: Date) -> (mustWrite: Bool, failure: (any Error)?) {
        self.date = date
        list(owner)
        defer { failure = nil }
        let mustWrite = takeMustWrite()
        return (owner.table.hasChanges && writing.change() || mustWrite, failure)
    }

    /// Returns whether a write must be scheduled after the use of a principal's cookies.
    mutating func noteUse(of owner: CookieOwner) -> Bool {
        list(owner)
        return takeMustWrite()
    }

    /// Returns whether a write must be scheduled because a principal went to rest.
    private mutating func takeMustWrite() -> Bool {
        guard mustWrite else { return false }
        mustWrite = false
        return writing.change()
    }

    /// Returns whether a write must be scheduled because the last one failed.
    mutating func mustRetry() -> Bool { failedWrites > 0 && !changed.isEmpty && writing.change() }

    /// The next step of the call that writes.
    enum WriteStep {
        /// With the version of the store that the jar knows.
        case write(CookieChanges, String?)
        /// Everything was tried. The calls that wait go on.
        case end(Waiters)
    }

    /// Returns the next step of the call that writes. `isFirst` is `true` for its first one.
    mutating func nextStep(isFirst: Bool) -> WriteStep {
        guard isFirst || writing.goesOn() else { return .end(writing.end()) }
        let changes = takeChanges()
        if changes.isEmpty { return .end(writing.end()) }
        var all = CookieChanges(principals: changes, date: date)
        for owner in written { if let text = owner.text { all.bases[text] = owner.table.bases } }
        return .write(all, version)
    }

    private mutating func takeChanges() -> [String: [CookieChanges.Change]] {
        listExpired()
        var changes: [String: [CookieChanges.Change]] = [:]
        let listed = changed
        changed = []
        visits += listed.count
        for owner in listed {
            owner.isListed = false
            guard let text = owner.text else { continue }
            let own = owner.table.takeChanges(at: date)
            if own.isEmpty {
                forget(owner, text)
                continue
            }
            changes[text] = own
            owner.isBeingWritten = true
            written.append(owner)
        }
        return changes
    }

    /// Lists owners whose cookies have expired although no call used them. Each write looks at some of the owners.
    private mutating func listExpired() {
        for _ in 0..<min(Self.expiryChecks, uses.count - firstUse) {
            if nextCheck < firstUse || nextCheck >= uses.count { nextCheck = firstUse }
            let (user, step) = uses[nextCheck]
            nextCheck += 1
            guard let owner = user, owner.step == step, !owner.isListed, owner.table.hasExpired(at: date) else { continue }
            owner.isListed = true
            changed.append(owner)
        }
    }

    /// Notes the version of the store after a write. `nil` if another jar has changed it.
    mutating func noteVersion(_ next: String?, after known: String?) {
        if version == known { version = next }
    }

    /// Notes whether the changes were written.
    mutating func settle(_ failure: (any Error)?) {
        writes += 1
        let owners = written
        written = []
        // A success ends the failure of a write, and not that of a reading, which no call has reported yet.
        if failure != nil || failedWrites > 0 { self.failure = failure }
        failedWrites = failure == nil ? 0 : min(failedWrites + 1, 100)
        for owner in owners {
            owner.table.settle(isWritten: failure == nil)
            owner.isBeingWritten = false
            list(owner)
            if let text = owner.text { forget(owner, text) }
        }
    }
}
