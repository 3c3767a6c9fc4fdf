@_spi(TarmacRooms) import TarmacCore

/// The sessions that a service has used recently. Its calls nearly always share one, which is found here without
/// hashing.
final class RuntimeSessions: ServiceState {
    private struct Entry {
        let source: Authentication.Source
        let principal: String
        let session: any AuthSession
    }
    private let all: AuthSessions
    private let recent = Locked<[Entry]>([])
    private static let limit = 4
    private let service: String
    private let environment: String

    init(_ service: ServiceScope) {
        all = service.client.state(AuthSessions.self)
        self.service = service.name
        environment = service.environment.name
    }

    /// The number of sessions of the engine.
    var total: Int { all.count }

    func session(_ authentication: Authentication, principal: String) throws(TarmacError) -> any AuthSession {
        let known = recent.withLock { entries -> (any AuthSession)? in
            // By index, so that an entry is not copied for the comparison.
            for index in entries.indices where entries[index].source === authentication.source && entries[index].principal.isExactly(principal) {
                return entries[index].session
            }
            return nil
        }
        if let known { return known }
        let session = try all.session(authentication.kind, key(authentication.sessionName, principal))
        recent.withLock { entries in
            defer { entries.append(Entry(source: authentication.source, principal: principal, session: session)) }
            return entries.count == Self.limit ? entries.removeFirst() : nil
        }
        return session
    }

    /// Releases the session of a login that has ended.
    func release(_ authenticator: any Authenticator, principal: String) {
        let key = key(authenticator.name, principal)
        // Other authenticators of the principal are looked up again.
        recent.withLock { entries in
            defer { entries.removeAll { $0.principal.isExactly(principal) } }
            return entries
        }
        all.release(key)
    }

    private func key(_ name: String, _ principal: String) -> AuthSessions.Key {
        AuthSessions.Key(token: TokenKey(service: service, environment: environment, principal: principal), name: ExactText(name))
    }
}

extension ServiceScope {
    /// The sessions of the service.
    var auth: RuntimeSessions { state(RuntimeSessions.self) }
}
