import HTTPTypes
@_spi(TarmacRooms) package import TarmacCore
import TarmacMasking
import TarmacResilience

/// The rules for a call that was stored, and that is sent later, perhaps while another user is logged in.
package struct StoredCall: Sendable, Hashable {
    /// The account that may send it; empty if any account may.
    package var account: String
    /// The principal that client or service must have, where its own login does not tell the users apart; empty if any may.
    package var principal: String
    /// The environment that may have it; empty if any may.
    package var environment: String
    /// Whether an upload takes a page of HTML for the answer of a device on the way (``PortalPage``).
    package var refusesPages: Bool

    package init(account: String? = nil, principal: String? = nil, environment: String? = nil, refusesPages: Bool = false) {
        (self.account, self.principal, self.environment, self.refusesPages) = (account ?? "", principal ?? "", environment ?? "", refusesPages)
    }

    fileprivate var isAnyones: Bool { account.isEmpty && principal.isEmpty && environment.isEmpty }
}

extension Settings {
    /// The rules of a stored call. Default: none.
    package static let storedCall = Setting("storedCall", default: StoredCall()) {
        $0.stages = { value, _ in
            if value.isAnyones { return [] }
            return [
                SeatedStage(Seat(.call, order: 1_000), StoredAnswerInterceptor(stored: value)),
                // Directly before the credentials are added: authentication has bound the call to a login, and a later login is
                // refused.
                SeatedStage(Seat(.preparing, order: .max), StoredCallInterceptor(stored: value)),
            ]
        }
        $0.describe = { value in value.account.isEmpty && value.principal.isEmpty ? "any" : "one account's" }
    }
}

extension ResolvedOptions {
    /// Whether endpoint or call name their principal themselves.
    package var hasOwnPrincipal: Bool { layers.contains { $0.origin.isOfCall && $0.options.principal != nil } }

    /// The principal of client and service.
    fileprivate var commonPrincipal: String { layers.last { !$0.origin.isOfCall && $0.options.principal != nil }?.options.principal ?? "" }

    /// Whether endpoint or call bring the credentials themselves: as a setting, as `Authorization`, or in a field in which client or service
    /// have theirs. Another secret field, such as a key of the app, names no user.
    fileprivate func hasOwnSecrets(_ request: Request) -> Bool {
        if hasOwnCredentials || callFields.contains(.authorization) { return true }
        guard callFields.contains(where: { redactor.isSecret($0.name) }) else { return false }
        var bare = request
        bare.headers = serviceFields
        if let credentials, !credentials.isSession { credentials.authorize(&bare) }
        return callFields.contains { redactor.isSecret($0.name) && bare.headers.contains($0.name) }
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
        // Other hosts receive no credentials.
        guard context.scope.owns(request.url.origin) else { return }
        if let credentials = context.options.credentials, credentials.isSession {
            // Without a login there are no credentials to add, and the session reports that.
            guard context.authenticates(request), case .known(let current?) = try credentials.accountNow(of: nil, for: context) else { return }
            if !account.isEmpty, !current.isExactly(account) { throw Self.refusal(of: current) }
            // A token of the app itself says nothing of the user.
            if !current.isEmpty { return try checkPrincipal(context, credentials, current) }
        }
        if context.options.hasOwnSecrets(request) { return }
        if !account.isEmpty { throw Self.refusal(of: "") }
        try checkPrincipal(context)
    }

    /// Checks the principal of client and service. Another one is no obstacle if it has a login of its own, which this call does not use, and if
    /// no field of the service says who asks: such a field names the present profile or user, beside the login of the one before.
    private func checkPrincipal(_ context: CallContext, _ credentials: (any CredentialSource)? = nil, _ account: String = "") throws {
        let current = context.options.commonPrincipal
        if principal.isEmpty || current.isExactly(principal) { return }
        let namesSomeone = context.options.serviceFields.contains { CallerFields.kind(of: $0.name) == .name }
        if !namesSomeone, case .known(let other?)? = try credentials?.accountNow(of: current, for: context), !other.isEmpty, !other.isExactly(account) {
            return
        }
        throw TarmacError(
            .principalLeft, phase: .authenticating, "it was stored under another principal than that of the client",
            suggestion: "it is sent when its principal is set again")
    }

    /// Returns the error of a call while another account is logged in, or none.
    private static func refusal(of current: String) -> TarmacError {
        if current.isEmpty { return TarmacError(.loggedOut, phase: .authenticating, "the login it was stored under is not there") }
        return TarmacError(
            .otherLogin, phase: .authenticating, "it was stored under another login", suggestion: "send it again when its account is logged in")
    }
}

extension TarmacError.Code {
    /// The error of a stored call whose account is not the one that is logged in. This code never leaves the outbox or the transfer queue.
    package static let otherLogin = Self("otherLogin", .application, .unsent, .lasting)
    /// The error of a stored call whose environment the client has left; the call waits for it. This code never leaves the outbox or the
    /// transfer queue.
    package static let environmentLeft = Self("environmentLeft", .application, .unsent, .lasting)
    /// The error of a stored call whose principal the client has left; the call waits for it. This code never leaves the outbox or the
    /// transfer queue.
    package static let principalLeft = Self("principalLeft", .application, .unsent, .lasting)
}
