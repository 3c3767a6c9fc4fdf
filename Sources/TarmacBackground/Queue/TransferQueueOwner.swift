import HTTPTypes
@_spi(TarmacRooms) package import TarmacCore
import TarmacTransfer

/// The environment and the logins under which a transfer was added. It runs under no others.
package struct TransferQueueOwner: Codable, Sendable, Equatable {
    /// The user of one service of the client. The service of a transfer is known when it is made.
    package struct Login: Codable, Sendable, Equatable {
        package var service: String
        package var principal: String
        /// `nil` if no user was logged in, or if logins have no accounts: any account may then run the transfer.
        package var account: String?

        package init(service: String, principal: String = "", account: String? = nil) {
            (self.service, self.principal, self.account) = (service, principal, account)
        }

        /// Whether two users are known, and are not the same.
        fileprivate func isOther(than login: Self) -> Bool {
            guard principal.isExactly(login.principal) else { return true }
            return account.flatMap { own in login.account.map { !own.isExactly($0) } } ?? false
        }
    }

    package var environment: String
    package var logins: [Login]

    package init(environment: String, logins: [Login]) { (self.environment, self.logins) = (environment, logins) }

    package func login(of service: String) -> Login? { logins.first { $0.service.isExactly(service) } }

    /// Whether a transfer of this owner is not one of `owner`.
    package func isOther(than owner: Self) -> Bool {
        guard environment.isExactly(owner.environment) else { return true }
        return logins.contains { login in owner.login(of: login.service).map { login.isOther(than: $0) } ?? false }
    }
}

extension TransferQueueOwner {
    /// The limit of the time in which a login is read from its store, or made.
    private static let limit = Duration.seconds(30)

    /// Returns the owner of a transfer that is added now.
    ///
    /// - Throws: `TarmacError` or `CancellationError` if a token store does not answer.
    static func now(_ engine: Engine) async throws -> Self {
        for _ in 0..<5 { if let owner = try await read(engine) { return owner } }
        throw TarmacError(.storeFailed, "the environment changes all the time", suggestion: "add the transfer again")
    }

    /// Returns the owner; `nil` if the environment has changed meanwhile.
    private static func read(_ engine: Engine) async throws -> Self? {
        let environment = engine.environment
        var logins: [Login] = []
        for service in engine.allServices {
            guard let runtime = try usable(service, engine) else { continue }
            guard runtime.environment == environment else { return nil }
            logins.append(
                Login(service: runtime.service.name, principal: runtime.options.values.principal, account: try await account(runtime)))
        }
        return Self(environment: environment.name, logins: logins)
    }

    /// Returns `nil` for a service that cannot be used, which sends no transfer.
    private static func usable(_ service: Service, _ engine: Engine) throws -> ServiceRuntime? {
        do throws(TarmacError) { return try engine.runtime(service) } catch {
            if error.code == .clientShutDown { throw error }
            return nil
        }
    }

    private static func account(_ runtime: ServiceRuntime) async throws -> String? {
        // Without a host, no request gets the credentials of the service.
        guard let base = try? runtime.hosts?.base(.origin) else { return nil }
        var options = Options()
        options.deadline = .duration(limit)
        let context = Flight.makeContext(
            FlightPlan(InlineEndpoint<Void>.get("/", as: Void.self)), id: 0, runtime: runtime, binding: .none, delivery: .buffered, call: options,
            progress: nil)
        return try await context.accountToStore(for: Request(.get, base))
    }

    /// Returns the login that the call of an endpoint must have; `nil` if the endpoint names its own user, or another client's service.
    func login<E: Endpoint>(of endpoint: E, in engine: Engine) throws -> Login? {
        let runtime = try engine.runtime(endpoint.service)
        let options = FlightPlan(endpoint).resolved(runtime, Options())
        if options.hasOwnPrincipal { return nil }
        var login = login(of: runtime.service.name)
        if options.hasOwnCredentials { login?.account = nil }
        return login
    }
}
