import TarmacCore

/// The account an entry goes out for; empty where it goes with whoever is logged in.
enum OutboxLogin: OptionKey {
    static let name = "outboxLogin"
    static let defaultValue = ""
    /// Right before the credentials are put on: authentication has bound the call to a login, and no later login passes.
    static var seat: Seat? { Seat(.sealing, order: -20) }
    static func stage(_ value: String, in scope: StageScope) -> (any Interceptor)? {
        value.isEmpty ? nil : OutboxLoginInterceptor(account: value)
    }
    static func describe(_ value: String) -> String { value.isEmpty ? "any" : "one account's" }
}

extension OutboxCall {
    /// Whose login an attempt would go out with now; `nil` when nobody is logged in, or where logins have no accounts.
    ///
    /// - Parameter request: what was made of the mutation, in its runtime.
    /// - Throws: `TarmacError` or `CancellationError` when the token store does not answer.
    static func account(_ entry: OutboxEntry, for request: Request, in runtime: ServiceRuntime, _ options: Options) async throws -> String? {
        let call = OutboxCall(service: runtime.service, endpointName: entry.mutation?.endpoint ?? "")
        let context = Flight.makeContext(
            FlightPlan(call), id: 0, runtime: runtime, binding: .none, delivery: .buffered, call: options, progress: nil)
        let account = try await context.principal(of: request).account
        // Tokens nobody logged in for, such as client credentials, are no one's.
        return account.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// Keeps the credentials of one account from an entry that another account has enqueued (law 7).
private struct OutboxLoginInterceptor: Interceptor {
    let account: String

    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        try check(request, chain.context)
        return try await chain.proceed(request)
    }

    private func check(_ request: Request, _ context: CallContext) throws {
        // Without a login there are no credentials to put on, and the session reports that.
        guard let credentials = context.credentials, credentials.isSession, context.authenticates(request),
            case .known(let current?) = try credentials.accountNow(for: context), current != account
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
    /// The account that is logged in is not the one of an entry. This code never leaves the outbox.
    static let otherLogin = Self("otherLogin", .application, .unsent, .lasting)
}
