/// The sessions a runtime has used lately: calls of one service nearly always share one, found here without hashing.
final class RuntimeSessions: Sendable {
    private struct Entry {
        let source: Authentication.Source
        let principal: String
        let session: any AuthSession
    }
    private let all: AuthSessions
    private let recent = Locked<[Entry]>([])
    private static let limit = 4

    init(_ all: AuthSessions) { self.all = all }

    /// How many sessions the engine has.
    var total: Int { all.count }

    /// Whether these are sessions of an engine.
    func belongs(to other: AuthSessions) -> Bool { all === other }

    func session(_ authentication: Authentication, principal: String, runtime: ServiceRuntime) throws(TarmacError) -> any AuthSession {
        let known = recent.withLock { entries -> (any AuthSession)? in
            // By index: an entry is not copied to be looked at.
            for index in entries.indices where entries[index].source === authentication.source && entries[index].principal == principal {
                return entries[index].session
            }
            return nil
        }
        if let known { return known }
        let token = TokenKey(service: runtime.service.name, environment: runtime.environment.name, principal: principal)
        let session = try all.session(authentication.kind, AuthSessions.Key(token: token, name: authentication.sessionName))
        recent.withLock { entries in
            if entries.count == Self.limit { entries.removeFirst() }
            entries.append(Entry(source: authentication.source, principal: principal, session: session))
        }
        return session
    }
}
