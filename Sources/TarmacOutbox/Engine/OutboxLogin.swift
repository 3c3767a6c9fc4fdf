import TarmacCore

extension Settings {
    /// The account that sends an entry; empty if any account may send it.
    static let outboxLogin = Setting("outboxLogin", default: "") {
        // Directly before the credentials are added: authentication has bound the call to a login, and a later login is
        // refused.
        $0.stage(at: Seat(.sealing, order: -20)) { value, _ in
            value.isEmpty ? nil : OutboxLoginInterceptor(account: value)
        }
        $0.describe = { value in value.isEmpty ? "any" : "one account's" }
    }
}

extension OutboxCall {
    /// Returns the account that an attempt would use now; `nil` if no user is logged in, or if logins have no accounts.
    ///
    /// - Parameter request: The request built from the mutation, in its runtime.
    /// - Throws: `TarmacError` or `CancellationError` if the token store does not answer.
    static func account(_ entry: OutboxEntry, for request: Request, in runtime: ServiceRuntime, _ options: Options) async throws -> String? {
        let call = OutboxCall(service: runtime.service, endpointName: entry.mutation?.endpoint ?? "")
        let context = Flight.makeContext(
            FlightPlan(call), id: 0, runtime: runtime, binding: .none, delivery: .buffered, call: options, progress: nil)
        context.beginLogin(request)
        let account: String?
        // An entry is kept even if no login can be made now, but not if its login has ended.
        do { account = try await context.authAccount(request) } catch let error as TarmacError
            where error.code == .refreshFailed || error.code == .loggedOut && context.login == nil
        { account = nil }
        // Tokens without a login, such as client credentials, belong to no account.
        return account.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// Refuses to send an entry with the credentials of another account than the one that enqueued it.
private struct OutboxLoginInterceptor: Interceptor {
    let account: String

    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        try check(request, chain.context)
        return try await chain.proceed(request)
    }

    private func check(_ request: Request, _ context: CallContext) throws {
        // Without a login there are no credentials to add, and the session reports that.
        guard let credentials = context.credentials, credentials.isSession, context.authenticates(request),
            case .known(let current?) = try credentials.accountNow(for: context), !current.isExactly(account)
        else { return }
        if current.isEmpty {
            throw TarmacError(.loggedOut, phase: .authenticating, "the login it was enqueued under is not there")
        }
        throw TarmacError(
            .otherLogin, phase: .authenticating, "it was enqueued under another login",
            suggestion: "re-send it when its account is back, or edit its account to nil to give it to whoever is logged in")
    }
}

extension TarmacError.Code {
    /// The error of an entry whose account is not the one that is logged in. This code never leaves the outbox.
    static let otherLogin = Self("otherLogin", .application, .unsent, .lasting)
}
