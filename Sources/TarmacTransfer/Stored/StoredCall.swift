@_spi(TarmacRooms) package import TarmacCore

/// The rules for a call that was stored, and that is sent later, perhaps while another user is logged in.
package struct StoredCall: Sendable, Hashable {
    /// The account that may send it; empty if any account may.
    package var account: String
    /// The environment that may have it; empty if any may.
    package var environment: String
    /// Whether an upload takes a page of HTML for the answer of a device on the way (``PortalPage``).
    package var refusesPages: Bool

    package init(account: String? = nil, environment: String? = nil, refusesPages: Bool = false) {
        (self.account, self.environment, self.refusesPages) = (account ?? "", environment ?? "", refusesPages)
    }
}

extension Settings {
    /// The rules of a stored call. Default: none.
    package static let storedCall = Setting("storedCall", default: StoredCall()) {
        $0.stages = { value, _ in
            guard !value.account.isEmpty || !value.environment.isEmpty else { return [] }
            return [
                SeatedStage(Seat(.call, order: 1_000), StoredAnswerInterceptor(stored: value)),
                // Directly before the credentials are added: authentication has bound the call to a login, and a later login is
                // refused.
                SeatedStage(Seat(.sealing, order: -20), StoredCallInterceptor(stored: value)),
            ]
        }
        $0.describe = { value in value.account.isEmpty ? "any" : "one account's" }
    }
}

extension CallContext {
    /// Returns the account that a call which is stored now belongs to; `nil` if no user is logged in, or if logins have no accounts.
    ///
    /// - Throws: `TarmacError` or `CancellationError` if the token store does not answer.
    package func accountToStore(for request: Request) async throws -> String? {
        beginLogin(request)
        let account: String?
        // A call is stored even if no login can be made now, but not if its login has ended.
        do { account = try await authAccount(request) } catch let error as TarmacError
            where error.code == .refreshFailed || error.code == .loggedOut && login == nil
        { account = nil }
        // Tokens without a login, such as client credentials, belong to no account.
        return account.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// Refuses to send a call with the credentials of another account than the one that stored it, or to another environment.
private struct StoredCallInterceptor: Interceptor {
    let stored: StoredCall

    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        try stored.check(request, chain.context)
        return try await chain.proceed(request)
    }
}

/// Refuses the answer of another account, which a cache may give without sending the call.
private struct StoredAnswerInterceptor: Interceptor {
    let stored: StoredCall

    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let response = try await chain.proceed(request)
        try stored.check(request, chain.context)
        return response
    }
}

extension StoredCall {
    fileprivate func check(_ request: Request, _ context: CallContext) throws {
        if !environment.isEmpty, !context.environment.name.isExactly(environment) {
            throw TarmacError(.environmentLeft, "the client has left the environment \(environment)")
        }
        // Without a login there are no credentials to add, and the session reports that.
        guard !account.isEmpty, let credentials = context.options.credentials, credentials.isSession, context.authenticates(request),
            case .known(let current?) = try credentials.accountNow(for: context), !current.isExactly(account)
        else { return }
        if current.isEmpty {
            throw TarmacError(.loggedOut, phase: .authenticating, "the login it was stored under is not there")
        }
        throw TarmacError(
            .otherLogin, phase: .authenticating, "it was stored under another login", suggestion: "send it again when its account is logged in")
    }
}

extension TarmacError.Code {
    /// The error of a stored call whose account is not the one that is logged in. This code never leaves the outbox or the transfer queue.
    package static let otherLogin = Self("otherLogin", .application, .unsent, .lasting)
    /// The error of a stored call whose environment the client has left; the call waits for it. This code never leaves the outbox or the
    /// transfer queue.
    package static let environmentLeft = Self("environmentLeft", .application, .unsent, .lasting)
}
