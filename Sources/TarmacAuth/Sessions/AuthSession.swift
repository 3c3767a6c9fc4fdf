@_spi(TarmacRooms) import TarmacCore

/// The questions of AUTH and STAMP about the credentials of one service, environment and principal.
protocol AuthSession: AnyObject, Sendable {
    /// Whether a response says nothing about the credentials. Asked before ``judge(_:to:isRefused:_:for:)``.
    func passesOn(_ response: Response, isRefused: Bool) -> Bool
    /// Binds a call that begins to its login, if there is one.
    func begin(_ context: CallContext)
    /// Returns when a call may go to dispatch.
    nonisolated(nonsending) func admit(_ pass: inout AuthPass, for context: CallContext) async throws
    /// Adds the credentials to a request on the wire, and returns their identity.
    ///
    /// - Throws: ``AuthTurnBack`` if the call must wait for others, which it does above dispatch.
    func stamp(_ request: inout Request, _ pass: AuthPass) throws -> StampedCredential
    /// Whether a request is sent again after its response. Returns when it may be.
    func judge(_ response: Response, to request: Request, isRefused: Bool, _ pass: inout AuthPass, for context: CallContext) async throws -> Bool
    /// Called when a call has its response, or ends without one.
    func leave(_ pass: AuthPass)
    /// Returns the account of the calls, or `nil` if there is no login.
    func account(for context: CallContext) async throws -> String?
    /// The account, if it is known without waiting and the call belongs to its login.
    func accountNow(for context: CallContext) -> String?
    /// Returns the account of the login without waiting; `nil` without one, or while its store is read, which this begins.
    func knownAccount(for context: CallContext) -> String?
    /// Whether the session can be released and created again without loss.
    var isForgettable: Bool { get }
    /// Adds the current credentials to a request that is only shown.
    func preview(_ request: inout Request)
    var isLoggedIn: Bool { get }
    /// Ends all waiting calls and all running work.
    func close() async
}

/// The state of a call between AUTH and STAMP.
struct AuthPass: Attachment {
    let session: any AuthSession
    var call = AuthPolicy.CallState()
    /// The slot that is reserved for a call to be sent again.
    var place: ReservedSlot?
    /// The number of answered challenges.
    var answers = 0
    /// The realm of the last challenge. 0 for none.
    var realm = 0
    /// The challenge that the call answers alone, if any.
    var own: OwnChallenge?
}

/// The credentials that a response belongs to.
struct StampedCredential: Attachment {
    let id: Int
    /// Whether a call has succeeded with them before.
    var isProven = true
}

/// The credentials of a call on the wire are not valid. The call goes back above dispatch and waits there without a
/// slot.
struct AuthTurnBack: Error {}
