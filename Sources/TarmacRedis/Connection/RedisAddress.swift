#if Redis
import TarmacCore

/// The address of a server, and the login to it.
struct RedisAddress: Sendable {
    let host: String
    let port: Int
    let user: String?
    let password: String?
    let database: Int

    /// The commands that begin a connection.
    var greeting: [[String]] {
        var commands: [[String]] = []
        if let password { commands.append(["AUTH"] + (user.map { [$0] } ?? []) + [password]) }
        if database != 0 { commands.append(["SELECT", "\(database)"]) }
        return commands
    }

    func error(_ reason: String) -> TarmacError {
        TarmacError(.storeFailed, phase: .waiting, "the Redis server \(self) \(reason)")
    }
}

extension RedisAddress: MaskedReflectable {
    /// The host, the port and the database, without the login.
    var description: String { "\(host):\(port)" + (database == 0 ? "" : "/\(database)") }
}
#endif
