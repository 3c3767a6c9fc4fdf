import TarmacCore

/// Who may go with which token, who waits, who starts a refresh, and when a login has ended (pure).
///
/// A call belongs to the login it took off under. Its replays never carry the token of another login.
struct AuthPolicy {
    typealias Instant = ContinuousClock.Instant

    /// What may be done for a token that is not there or no longer good.
    enum Outlook: Sendable { case refreshable, final, spent }

    /// What one call knows of its own way.
    struct Trip: Sendable {
        /// The login it took off under.
        fileprivate(set) var login: Int?
        /// Tells it from others once it has started a refresh; 0 before.
        fileprivate(set) var id = 0
        /// How many tokens it had refreshed itself were refused to it.
        fileprivate(set) var ownRefusals = 0

        /// One more refresh than its own, then it fails.
        fileprivate var hasHadEnough: Bool { ownRefusals >= 2 }
        /// Others may have worn out the first token it got. The second it tries alone: if that is refused too, its
        /// credentials are wrong.
        var goesAlone: Bool { ownRefusals > 0 }
        /// Whether it was sent before and goes ahead of those that were not.
        fileprivate(set) var isReplay = false
    }

    /// The token calls go with.
    struct Held: Sendable {
        let id: Int
        /// One reference: what is held is copied out for every call.
        private(set) var box: TokenBox
        let expiresAt: Instant?
        fileprivate var refreshAt: Instant?
        fileprivate(set) var outlook: Outlook
        /// The trip that had it refreshed.
        fileprivate let owner: Int?
        /// Whether it came of a refresh and no call has succeeded with it.
        fileprivate var isUntried: Bool
        fileprivate var isRefused = false
        /// The trip that tries it before all others.
        fileprivate var triedBy: Int?

        fileprivate init(
            id: Int, token: AccessToken, expiresAt: Instant?, refreshAt: Instant?, outlook: Outlook, owner: Int?, isUntried: Bool
        ) {
            self.id = id
            box = TokenBox(token.prepared())
            self.expiresAt = expiresAt
            self.refreshAt = refreshAt
            self.outlook = outlook
            self.owner = owner
            self.isUntried = isUntried
        }

        var token: AccessToken {
            get { box.token }
            set { box = TokenBox(newValue) }
        }

        /// Whether a success with it says something new.
        var needsProof: Bool { isUntried || isRefused }

        fileprivate func isKept(from trip: Trip) -> Bool { triedBy != nil && triedBy != trip.id }

        fileprivate func isGood(_ now: Instant) -> Bool { isGood { now } }

        /// Without an expiry no clock is read.
        fileprivate func isGood(_ now: () -> Instant) -> Bool { !isRefused && (expiresAt.map { now() < $0 } ?? true) }
    }

    /// Work the shell has to start.
    enum Work: Sendable, Equatable { case load(Int), refresh(Int) }

    enum Admission {
        case go(starting: Work?)
        case wait(starting: Work?)
        case end(Ending)
    }
    enum Stamping {
        case stamp(Held)
        /// The token is not good now: back above dispatch, to wait there.
        case turnBack
    }
    enum Refusal {
        case replay
        case wait(starting: Work?)
        /// The refusal is the call's answer.
        case deliver
        case end(Ending)
    }
    enum Ending: Equatable {
        case loggedOut
        /// Another login has taken the place of the one the call took off under.
        case superseded
        /// The login ends now, because of this call.
        case logOut(LogOutReason)
    }

    private enum Stage: Equatable { case unloaded, loading(Int), idle, refreshing(Int) }

    private let rule: RefreshRule
    /// What can be done without any token, as client credentials can.
    private let emptyOutlook: Outlook
    private var stage = Stage.unloaded
    private(set) var held: Held?
    private(set) var login = 0
    private var lastID = 0
    /// How many refreshed tokens in a row were refused before any call had succeeded with them.
    private var barren = 0
    /// No refresh before then.
    private var quietUntil: Instant?
    /// Whose refusal started the refresh under way, and whether its token is theirs alone at first.
    private var owner: Int?
    private var isForOwnerFirst = false

    init(rule: RefreshRule, emptyOutlook: Outlook) {
        self.rule = rule
        self.emptyOutlook = emptyOutlook
    }

    // MARK: Calls

    /// Whether a call may go on to dispatch and there is nothing to do for it: nearly every call's. Changes nothing else.
    mutating func admitsAtOnce(_ trip: inout Trip, now: @autoclosure () -> Instant) -> Bool {
        guard stage == .idle, let held, trip.login ?? login == login, held.isGood(now), !held.isKept(from: trip) else { return false }
        if let refreshAt = held.refreshAt, now() >= refreshAt { return false }
        trip.login = login
        return true
    }

    /// Whether a call may go on to dispatch.
    mutating func admit(_ trip: inout Trip, now: Instant) -> Admission {
        if let load = loadIfNeeded() { return load }
        if let own = trip.login, own != login { return .end(.superseded) }
        trip.login = login
        guard let held else {
            if case .refreshing = stage { return .wait(starting: nil) }
            return canRefresh(emptyOutlook, now) ? .wait(starting: start(for: nil)) : .end(.loggedOut)
        }
        if held.isGood(now), held.isKept(from: trip) { return .wait(starting: nil) }
        if held.isGood(now) { return .go(starting: isDue(held, now) ? start(for: nil) : nil) }
        if case .refreshing = stage { return .wait(starting: nil) }
        if held.outlook == .spent { return .end(endUnknown()) }
        return canRefresh(held.outlook, now) ? .wait(starting: start(for: nil)) : .go(starting: nil)
    }

    /// Whether a call at the wire may take the token along. Whoever ``admit(_:now:)`` lets go at once may.
    func stamp(_ trip: Trip, now: @autoclosure () -> Instant) -> Stamping {
        guard trip.login == login, let held, !held.isKept(from: trip) else { return .turnBack }
        if held.isGood(now) { return .stamp(held) }
        if case .refreshing = stage { return .turnBack }
        return held.outlook != .spent && !canRefresh(held.outlook, now()) ? .stamp(held) : .turnBack
    }

    /// A call succeeded with a token.
    ///
    /// - Parameter login: the one the call belongs to.
    mutating func succeeded(with id: Int, login: Int?) {
        guard login == self.login else { return }
        // Also one that was refreshed meanwhile: that refreshes bear nothing is disproved.
        barren = 0
        quietUntil = nil
        guard held?.id == id else { return }
        held?.isUntried = false
        held?.isRefused = false
    }

    /// The server refused a token.
    mutating func refused(_ trip: inout Trip, with id: Int, now: Instant) -> Refusal {
        if trip.login != login { return .end(held == nil ? .loggedOut : .superseded) }
        trip.isReplay = true
        guard let current = held else {
            if case .refreshing = stage { return .wait(starting: nil) }
            return .end(.loggedOut)
        }
        // The refusal is of a token that is gone already.
        guard current.id == id else { return .replay }
        note(refusalOf: current, by: &trip)
        if case .refreshing = stage { return .wait(starting: nil) }
        if current.outlook == .spent { return .end(endUnknown()) }
        if barren >= 2, quietUntil == nil { quietUntil = now + rule.coolDown }
        guard current.outlook == .refreshable, !trip.hasHadEnough else { return .deliver }
        guard canRefresh(current.outlook, now) else { return .deliver }
        lastID += 1
        trip.id = lastID
        return .wait(starting: start(for: trip.id, first: trip.goesAlone))
    }

    private mutating func note(refusalOf current: Held, by trip: inout Trip) {
        if current.owner != nil, current.owner == trip.id { trip.ownRefusals += 1 }
        note(refusalOf: current.id)
    }

    /// The server refused a token to a call that cannot be sent again.
    mutating func note(refusalOf id: Int) {
        guard let current = held, current.id == id, !current.isRefused else { return }
        held?.isRefused = true
        if current.isUntried { barren += 1 }
    }

    private func isDue(_ held: Held, _ now: Instant) -> Bool {
        guard stage == .idle, let refreshAt = held.refreshAt, now >= refreshAt else { return false }
        return canRefresh(held.outlook, now)
    }

    private func canRefresh(_ outlook: Outlook, _ now: Instant) -> Bool {
        outlook == .refreshable && (quietUntil.map { now >= $0 } ?? true)
    }

    // MARK: Work

    private mutating func loadIfNeeded() -> Admission? {
        switch stage {
        case .loading: return .wait(starting: nil)
        case .idle, .refreshing: return nil
        case .unloaded:
            lastID += 1
            stage = .loading(lastID)
            return .wait(starting: .load(lastID))
        }
    }

    /// Loads without a call that wants to go.
    mutating func beginLoading() -> Admission? { loadIfNeeded() }

    /// A call ends, or has its answer. Returns whether others waited for what it would find out.
    mutating func leave(_ trip: Trip) -> Bool {
        guard trip.id != 0 else { return false }
        if owner == trip.id { isForOwnerFirst = false }
        guard held?.triedBy == trip.id else { return false }
        held?.triedBy = nil
        return true
    }

    private mutating func start(for owner: Int?, first isForOwnerFirst: Bool = false) -> Work {
        lastID += 1
        stage = .refreshing(lastID)
        self.owner = owner
        self.isForOwnerFirst = isForOwnerFirst
        // After a cool-down each refresh gets one chance, and another cool-down when it bears nothing.
        if barren >= 2 { quietUntil = nil }
        return .refresh(lastID)
    }

    /// Whether work that was started still counts.
    func isCurrent(_ work: Int) -> Bool { stage == .loading(work) || stage == .refreshing(work) }

    func isLoading(_ work: Int) -> Bool { stage == .loading(work) }

    /// The store has answered; returns whether it was in time.
    mutating func loaded(_ token: AccessToken?, outlook: Outlook, lifetime: Duration?, work: Int, now: Instant) -> Bool {
        guard stage == .loading(work) else { return false }
        stage = .idle
        held = token.map { make($0, outlook, lifetime, now, owner: nil, isUntried: false) }
        return true
    }

    /// A refresh has brought a token; returns whether it was in time.
    mutating func refreshed(_ token: AccessToken, outlook: Outlook, lifetime: Duration?, work: Int, now: Instant) -> Bool {
        guard stage == .refreshing(work) else { return false }
        stage = .idle
        held = make(token, outlook, lifetime, now, owner: owner, isUntried: true)
        if isForOwnerFirst { held?.triedBy = owner }
        owner = nil
        return true
    }

    enum Failure: Equatable {
        /// Too late to matter.
        case stale
        case failed
        case loggedOut(LogOutReason)
    }

    /// A refresh has failed for good.
    mutating func failed(_ consequence: RefreshConsequence, work: Int, now: Instant) -> Failure {
        if stage == .loading(work) {
            // The next call asks the store again.
            stage = .unloaded
            return .failed
        }
        guard stage == .refreshing(work) else { return .stale }
        stage = .idle
        owner = nil
        switch consequence {
        case .logOut: return endLogin(.refused)
        case .unknown where held != nil:
            held?.outlook = .spent
            held?.token.isSpent = true
            if held?.isGood(now) == true { return .failed }
            return endLogin(.unknownOutcome)
        case .unknown, .retry, .fail:
            // A token that is still good is not tried to be renewed with every call.
            if let held, held.isGood(now), let end = held.expiresAt { self.held?.refreshAt = now + (end - now) / 2 }
            return .failed
        }
    }

    private mutating func endLogin(_ reason: LogOutReason) -> Failure {
        logOut()
        return .loggedOut(reason)
    }

    private mutating func endUnknown() -> Ending {
        logOut()
        return .logOut(.unknownOutcome)
    }

    // MARK: Logins

    mutating func logIn(_ token: AccessToken, outlook: Outlook, lifetime: Duration?, now: Instant) {
        logOut()
        held = make(token, outlook, lifetime, now, owner: nil, isUntried: false)
    }

    mutating func logOut() {
        login += 1
        stage = .idle
        held = nil
        owner = nil
        barren = 0
        quietUntil = nil
    }

    private mutating func make(
        _ token: AccessToken, _ outlook: Outlook, _ lifetime: Duration?, _ now: Instant, owner: Int?, isUntried: Bool
    ) -> Held {
        lastID += 1
        // A short-lived token would else be refreshed all the time.
        let early = lifetime.map { $0 - min(rule.leeway, max($0, .zero) / 2) }
        return Held(
            id: lastID, token: token, expiresAt: lifetime.map { now + $0 },
            refreshAt: rule.leeway > .zero ? early.map { now + $0 } : nil, outlook: outlook, owner: owner, isUntried: isUntried)
    }
}

/// A token that is handed on without a copy of what it holds.
final class TokenBox: Sendable {
    let token: AccessToken
    init(_ token: AccessToken) { self.token = token }
}
