import TarmacCore

/// What AUTH and STAMP ask about the credentials of one service, environment and principal.
protocol AuthSession: AnyObject, Sendable {
    /// Whether a call may go on to dispatch as it is, asked before ``admit(_:for:)``.
    func admitsAtOnce(_ pass: inout AuthPass) -> Bool
    /// Whether a response has nothing to say of the credentials, asked before ``judge(_:to:isRefused:_:for:)``.
    func passesOn(_ response: Response, isRefused: Bool) -> Bool
    /// Returns when a call may go on to dispatch.
    func admit(_ pass: inout AuthPass, for context: CallContext) async throws
    /// Puts the credentials on a request at the wire; returns which they are.
    ///
    /// - Throws: ``AuthTurnBack`` when the call has to wait for others, which it does above dispatch.
    func stamp(_ request: inout Request, _ pass: AuthPass) throws -> StampedCredential
    /// Whether a request goes out again after its response; returns when it may.
    func judge(_ response: Response, to request: Request, isRefused: Bool, _ pass: inout AuthPass, for context: CallContext) async throws -> Bool
    /// A call has its answer, or ends without one.
    func leave(_ pass: AuthPass)
    /// Whose calls they are; `nil` when nobody is logged in.
    func account(for context: CallContext) async throws -> String?
    /// The same as far as it is known without a wait.
    var accountNow: String? { get }
    /// Whether the session can be forgotten and made anew without loss.
    var isForgettable: Bool { get }
    /// Puts what is there on a request that is only shown.
    func preview(_ request: inout Request)
    var isLoggedIn: Bool { get }
    /// Ends everyone who waits and everything that runs.
    func close() async
}

/// What a call takes from AUTH to STAMP.
struct AuthPass: Attachment {
    let session: any AuthSession
    var trip = AuthPolicy.Trip()
    /// The slot kept for a call that is to be sent again.
    var place: ReplayPlace?
    /// How often a challenge was answered.
    var answers = 0
    /// The realm of the last one, 0 for none.
    var realm = 0
}

/// Which credentials a response answers to.
struct StampedCredential: Attachment {
    let id: Int
    /// Whether a call has succeeded with them before.
    var isProven = true
}

/// A call reached the wire and its credentials are not good: it goes back above dispatch and waits there, without a slot.
struct AuthTurnBack: Error {}
