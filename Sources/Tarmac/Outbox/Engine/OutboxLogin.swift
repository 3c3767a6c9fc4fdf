/// The account an entry goes out for; empty where it goes with whoever is logged in.
enum OutboxLogin: OptionKey {
    static let name = "outboxLogin"
    static let defaultValue = ""
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

extension CallContext {
    /// Keeps the credentials of one account from what another has enqueued (law 7).
    ///
    /// To be asked between AUTH, which has bound the call to a login, and the stamp, which no later login passes: asked earlier,
    /// the login could change after it.
    func checkLogin(of session: any AuthSession) throws(TarmacError) {
        let own = option(OutboxLogin.self)
        if own.isEmpty { return }
        // With nobody logged in there is nothing to put on: the session says so itself.
        guard let account = session.accountNow, account != own else { return }
        if account.isEmpty {
            throw TarmacError(.loggedOut, phase: .authenticating, "the login it was enqueued under is not there")
        }
        throw TarmacError(
            .otherLogin, phase: .authenticating, "it was enqueued under another login",
            suggestion: "re-send it when its account is back, or edit its account to nil to give it to whoever is logged in")
    }
}

extension TarmacError.Code {
    /// Another account than an entry's is logged in. Never leaves the outbox.
    static let otherLogin = Self("otherLogin", .application)
}
