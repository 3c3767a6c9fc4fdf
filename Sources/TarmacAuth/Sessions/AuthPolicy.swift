import TarmacCore

/// Decides which call may use which token, which calls wait, which one starts a refresh, and when a login has ended
/// (pure).
///
/// A call belongs to the login under which it started. Its repeats never carry the token of another login.
struct AuthPolicy {
    typealias Instant = Moment

    /// The options for a token that is missing or no longer valid.
    enum Outlook: Sendable { case refreshable, final }

    /// The state of one call.
    struct CallState: Sendable {
        /// The login under which the call started.
        fileprivate(set) var login: Int?
        init(login: Int? = nil) { self.login = login }

        /// The id of the call once it has started a refresh. 0 before.
        fileprivate(set) var id = 0
        /// The number of tokens that the call had refreshed and that were refused to it.
        fileprivate(set) var ownRefusals = 0
        /// The number of refreshes that the call waited for because a token had expired.
        fileprivate var renewals = 0
        /// Whether the store was read again for the call, which found no login.
        fileprivate var hasLooked = false

        /// A token that expires on the way to the wire each time would be refreshed forever. After two of them, the
        /// server decides whether the token has expired.
        fileprivate var hasRenewedEnough: Bool { renewals >= 2 }

        /// The call fails after one more refresh than its first.
        fileprivate var hasHadEnough: Bool { ownRefusals >= 2 }
        /// Whether the call tries the next token alone. Other calls may have used up the first token that it refreshed.
        /// If the second one is refused too, the credentials are wrong.
        var goesAlone: Bool { ownRefusals > 0 }
        /// Whether the call was sent before. It then has priority over calls that were not.
        fileprivate(set) var isReplay = false
    }

    /// The token that calls use.
    struct Held: Sendable {
        let id: Int
        /// One reference, because the value is copied for every call.
        let box: TokenBox
        let expiresAt: Instant?
        fileprivate var refreshAt: Instant?
        fileprivate let outlook: Outlook
        /// The call that started the refresh of this token.
        fileprivate let owner: Int?
        /// Whether the token comes from a refresh and no call has succeeded with it.
        fileprivate var isUntried: Bool
        fileprivate var isRefused = false
        /// The call that tries the token before all others, and the time until which they wait for it.
        fileprivate var triedBy: Int?
        fileprivate var triedUntil: Instant?

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

        var token: AccessToken { box.token }

        /// Whether a success with the token is new information.
        var needsProof: Bool { isUntried || isRefused }

        fileprivate func isKept(from call: CallState, _ now: () -> Instant) -> Bool {
            triedBy != nil && triedBy != call.id && (triedUntil.map { now() < $0 } ?? true)
        }

        fileprivate func isGood(_ now: Instant) -> Bool { isGood { now } }

        /// Whether the token is valid. Without an expiry, the clock is not read.
        fileprivate func isGood(_ now: () -> Instant) -> Bool { !isRefused && (expiresAt.map { now() < $0 } ?? true) }

        fileprivate func isGood(for call: CallState, _ now: Instant) -> Bool { isGood(now) || !isRefused && call.hasRenewedEnough }
    }

    /// Work that the shell must start.
    enum Work: Sendable, Equatable { case load(Int), refresh(Int) }

    enum Admission {
        case go(starting: Work?)
        case wait(starting: Work?)
        case end(Ending)
    }
    enum Stamping {
        case stamp(Held)
        /// The token is not valid now. The call goes back above dispatch and waits there.
        case turnBack
    }
    enum Refusal {
        case replay
        case wait(starting: Work?)
        /// The refusal is the result of the call.
        case deliver
        case end(Ending)
    }
    enum Ending: Equatable {
        case loggedOut
        /// Another login has replaced the one under which the call started.
        case superseded
        /// The last refresh has failed, and the pause before the next one has not passed.
        case resting
    }

    private enum Stage: Equatable { case unloaded, loading(Int), idle, refreshing(Int) }

    private let rule: RefreshRule
    /// The options without a token, such as those of client credentials.
    private let emptyOutlook: Outlook
    /// Whether another process may log in, by a store that both use.
    private let isStored: Bool
    private var stage = Stage.unloaded
    /// Whether the current refresh has taken longer than the rule allows. No call waits for it, and the next one that needs its token does.
    private var isOverdue = false
    /// A refresh that was given up, and the token that it was for. Its answer may be the only copy of the next refresh token.
    private var givenUp: (work: Int, held: Int?, login: Int)?
    private(set) var held: Held?
    private(set) var login = 0
    /// Whether calls of the current login found no login. A token that is found later is not theirs.
    private var isNobodys = false
    private var lastID = 0
    /// The number of consecutive refreshed tokens that were refused before any call succeeded with them.
    private var barren = 0
    /// The time before which there is no refresh.
    private var quietUntil: Instant?
    private var rest: RefreshRest
    /// The call whose refusal started the current refresh. `isForOwnerFirst`: whether only that call uses the new token
    /// at first.
    private var owner: Int?
    private var isForOwnerFirst = false

    init(rule: RefreshRule, emptyOutlook: Outlook, isStored: Bool = false) {
        self.rule = rule
        self.emptyOutlook = emptyOutlook
        self.isStored = isStored
        rest = RefreshRest(rule)
    }

    // MARK: Calls

    /// Whether a call may go to dispatch without further work, as nearly every call may. Changes nothing else.
    mutating func admitsAtOnce(_ call: inout CallState, now: @autoclosure () -> Instant) -> Bool {
        guard stage == .idle, let held, call.login ?? login == login, held.isGood(now), !held.isKept(from: call, now) else { return false }
        if let refreshAt = held.refreshAt, now() >= refreshAt { return false }
        call.login = login
        return true
    }

    /// Decides whether a call may go to dispatch.
    mutating func admit(_ call: inout CallState, now: Instant) -> Admission {
        if let load = loadIfNeeded() { return load }
        if let own = call.login, own != login { return .end(.superseded) }
        guard let held else {
            if isNobodys, call.login != nil { return .end(.loggedOut) }
            if !isNobodys { call.login = login }
            if case .refreshing = stage { return .wait(starting: nil) }
            if isResting(emptyOutlook, now) { return .end(.resting) }
            if canRefresh(emptyOutlook, now) { return .wait(starting: start(for: nil)) }
            guard isStored, !call.hasLooked else { return .end(.loggedOut) }
            call.hasLooked = true
            return .wait(starting: startLoading())
        }
        call.login = login
        if held.isGood(for: call, now), held.isKept(from: call, { now }) { return .wait(starting: nil) }
        if held.isGood(for: call, now) { return .go(starting: isDue(held, now) ? start(for: nil) : nil) }
        if !held.isRefused { call.renewals += 1 }
        if case .refreshing = stage { return .wait(starting: nil) }
        if isResting(held.outlook, now) { return .end(.resting) }
        return canRefresh(held.outlook, now) ? .wait(starting: start(for: nil)) : .go(starting: nil)
    }

    /// Decides whether the account of a call is known. Without a login, the call finds or makes one first: its answer will be of
    /// that login.
    mutating func identify(_ call: inout CallState, now: Instant) -> Admission {
        if let load = loadIfNeeded() { return load }
        if let own = call.login, own != login { return .end(.superseded) }
        if held != nil || isNobodys && call.login != nil { return .go(starting: nil) }
        let admission = admit(&call, now: now)
        guard case .end(.loggedOut) = admission else { return admission }
        isNobodys = true
        return .go(starting: nil)
    }

    /// The login of a call that begins now: the one there is, or the one in the store, which may not be read yet. `nil` without a
    /// login.
    var loginAtBegin: Int? {
        switch stage {
        case .unloaded, .loading: held != nil || isStored && !isNobodys ? login : nil
        case .idle, .refreshing: held == nil ? nil : login
        }
    }

    /// Decides whether a call on the wire may use the token. A call that ``admit(_:now:)`` admits immediately may.
    func stamp(_ call: CallState, now: @autoclosure () -> Instant) -> Stamping {
        guard call.login == login, let held, !held.isKept(from: call, now) else { return .turnBack }
        if held.isGood(now) { return .stamp(held) }
        if call.hasRenewedEnough, !held.isRefused { return .stamp(held) }
        if case .refreshing = stage { return .turnBack }
        let now = now()
        return isResting(held.outlook, now) || canRefresh(held.outlook, now) ? .turnBack : .stamp(held)
    }

    /// Records that a call succeeded with a token.
    ///
    /// - Parameter login: the login of the call.
    mutating func succeeded(with id: Int, login: Int?) {
        guard login == self.login else { return }
        // Counts even for a token that was refreshed since: it shows that refreshes are useful.
        barren = 0
        quietUntil = nil
        guard held?.id == id else { return }
        held?.isUntried = false
        held?.isRefused = false
    }

    /// Records that the server refused a token, and decides about the call.
    mutating func refused(_ call: inout CallState, with id: Int, now: Instant) -> Refusal {
        if call.login != login { return .end(held == nil ? .loggedOut : .superseded) }
        call.isReplay = true
        guard let current = held else {
            if case .refreshing = stage { return .wait(starting: nil) }
            return .end(.loggedOut)
        }
        // The refused token was replaced already.
        guard current.id == id else { return .replay }
        note(refusalOf: current, by: &call)
        if case .refreshing = stage { return .wait(starting: nil) }
        if barren >= 2, quietUntil == nil { quietUntil = now + rule.coolDown }
        guard current.outlook == .refreshable, !call.hasHadEnough else { return .deliver }
        if isResting(current.outlook, now) { return .end(.resting) }
        guard canRefresh(current.outlook, now) else { return .deliver }
        lastID += 1
        call.id = lastID
        return .wait(starting: start(for: call.id, first: call.goesAlone))
    }

    private mutating func note(refusalOf current: Held, by call: inout CallState) {
        if current.owner != nil, current.owner == call.id { call.ownRefusals += 1 }
        note(refusalOf: current.id)
    }

    /// Records that the server refused a token to a call that cannot be sent again.
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
        outlook == .refreshable && (quietUntil.map { now >= $0 } ?? true) && !rest.holds(now)
    }

    /// Whether a call that needs a refresh ends with the error of the last one.
    private func isResting(_ outlook: Outlook, _ now: Instant) -> Bool { outlook == .refreshable && rest.holds(now) }

    // MARK: Work

    mutating func loadIfNeeded() -> Admission? {
        switch stage {
        case .loading: return .wait(starting: nil)
        case .idle, .refreshing: return nil
        case .unloaded: return .wait(starting: startLoading())
        }
    }

    private mutating func startLoading() -> Work {
        lastID += 1
        stage = .loading(lastID)
        return .load(lastID)
    }

    /// Removes a call that has ended. Returns whether others waited for its result.
    mutating func leave(_ call: CallState) -> Bool {
        guard call.id != 0 else { return false }
        if owner == call.id { isForOwnerFirst = false }
        guard held?.triedBy == call.id else { return false }
        held?.triedBy = nil
        return true
    }

    private mutating func start(for owner: Int?, first isForOwnerFirst: Bool = false) -> Work {
        lastID += 1
        stage = .refreshing(lastID)
        isOverdue = false
        self.owner = owner
        self.isForOwnerFirst = isForOwnerFirst
        // After a cool-down, each refresh gets one attempt, and another cool-down if it fails.
        if barren >= 2 { quietUntil = nil }
        return .refresh(lastID)
    }

    /// Whether the failure of work that was started still counts.
    func isCurrent(_ work: Int) -> Bool { stage == .loading(work) || stage == .refreshing(work) }

    /// Whether a token that a refresh brings still counts, however late: nothing has replaced the one that it was for.
    func takesToken(of work: Int) -> Bool {
        if isCurrent(work) { return true }
        guard let givenUp, givenUp.work == work else { return false }
        return givenUp.login == login && givenUp.held == held?.id
    }

    /// Records that a refresh has reached its time limit. Returns whether it goes on, for a second time limit: asking again with a refresh
    /// token that the server has replaced would end the login.
    mutating func goesOn(_ work: Int) -> Bool {
        guard stage == .refreshing(work), !isOverdue else { return false }
        isOverdue = true
        return true
    }

    var isRefreshing: Bool { if case .refreshing = stage { true } else { false } }

    func isLoading(_ work: Int) -> Bool { stage == .loading(work) }

    /// Records the token that the store returned. Returns whether it was in time.
    mutating func loaded(_ token: AccessToken?, outlook: Outlook, lifetime: Duration?, work: Int, now: Instant) -> Bool {
        guard stage == .loading(work) else { return false }
        stage = .idle
        beginFoundLogin(token)
        held = token.map { make($0, outlook, lifetime, now, owner: nil, isUntried: false) }
        return true
    }

    private mutating func beginFoundLogin(_ token: AccessToken?) {
        guard token != nil, held == nil, isNobodys else { return }
        login += 1
        isNobodys = false
    }

    /// The longest time that other calls wait for the one that tries a token alone.
    static let longestTrial = Duration.seconds(2)

    /// The time until which a new token is kept from other calls.
    var trialEnd: Instant? { held.flatMap { $0.triedBy == nil ? nil : $0.triedUntil } }

    /// The shortest life of a new token that is believed.
    static let shortestLife = Duration.seconds(1)

    /// Records the token of a refresh. Returns whether it was in time.
    mutating func refreshed(_ token: AccessToken, outlook: Outlook, lifetime: Duration?, work: Int, now: Instant) -> Bool {
        guard takesToken(of: work) else { return false }
        (stage, givenUp) = (.idle, nil)
        beginFoundLogin(token)
        // A token that has expired when it arrives shows that a clock is wrong, or that the server counts otherwise. It
        // is used until the server refuses it; it would be refreshed forever.
        held = make(token, outlook, lifetime.flatMap { $0 < Self.shortestLife ? nil : $0 }, now, owner: owner, isUntried: true)
        if isForOwnerFirst {
            held?.triedBy = owner
            held?.triedUntil = now + Self.longestTrial
        }
        owner = nil
        rest.end()
        return true
    }

    enum Failure: Equatable {
        /// The result comes too late to count.
        case stale
        case failed
        case loggedOut(LogOutReason)
    }

    /// Records the final failure of a refresh.
    ///
    /// - Parameters:
    ///   - reason: the reason if the login ends.
    ///   - retryAfter: the pause that the server asked for.
    mutating func failed(
        _ consequence: RefreshConsequence, reason: LogOutReason = .refused, retryAfter: Duration? = nil, work: Int, now: Instant
    ) -> Failure {
        if stage == .loading(work) {
            // The next call asks the store again.
            stage = .unloaded
            return .failed
        }
        guard stage == .refreshing(work) else { return .stale }
        stage = .idle
        if isOverdue { givenUp = (work, held?.id, login) }
        owner = nil
        if consequence == .logOut {
            logOut()
            return .loggedOut(reason)
        }
        rest.begin(retryAfter: retryAfter, now: now)
        // A token that is still valid is not refreshed with every call.
        if let held, held.isGood(now), let end = held.expiresAt { self.held?.refreshAt = now + (end - now) / 2 }
        return .failed
    }

    // MARK: Logins

    /// Calls under another token of the same account go on with the new one.
    mutating func logIn(_ token: AccessToken, outlook: Outlook, lifetime: Duration?, now: Instant) {
        let isSame = held.map { $0.token.account?.isEmpty == false && $0.token.account.isExactly(token.account) } ?? false
        if isSame { end() } else { logOut() }
        held = make(token, outlook, lifetime, now, owner: nil, isUntried: false)
    }

    mutating func logOut() {
        login += 1
        isNobodys = false
        end()
    }

    /// Ends what belongs to the token.
    private mutating func end() {
        (stage, givenUp) = (.idle, nil)
        held = nil
        owner = nil
        barren = 0
        quietUntil = nil
        rest.end()
    }

    private mutating func make(
        _ token: AccessToken, _ outlook: Outlook, _ lifetime: Duration?, _ now: Instant, owner: Int?, isUntried: Bool
    ) -> Held {
        lastID += 1
        // Otherwise, a short-lived token would be refreshed all the time.
        let early = lifetime.map { $0 - min(rule.leeway, max($0, .zero) / 2) }
        return Held(
            id: lastID, token: token, expiresAt: lifetime.map { now + $0 },
            refreshAt: rule.leeway > .zero ? early.map { now + $0 } : nil, outlook: outlook, owner: owner, isUntried: isUntried)
    }
}

/// A box for a token, so that it is passed on without a copy of its values.
final class TokenBox: Sendable {
    let token: AccessToken
    init(_ token: AccessToken) { self.token = token }
}
