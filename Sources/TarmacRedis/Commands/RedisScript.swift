#if Redis
import TarmacCore

/// A script that the server runs as one step. Its keys have the same hash tag, so that a cluster has them in one place.
///
/// Each call sends the text, because a server that was restarted knows no digest.
struct RedisScript: Sendable {
    private let text: Bytes

    init(_ text: String) { self.text = Bytes(text) }

    func run(on commands: any RedisCommands, keys: [String], _ arguments: [Bytes] = []) async throws -> RedisValue {
        try await commands.run([Bytes("EVAL"), text, Bytes("\(keys.count)")] + keys.map { Bytes($0) } + arguments)
    }
}

extension RedisCommands {
    /// Runs a command whose arguments are texts.
    func run(_ name: String, _ arguments: String...) async throws -> RedisValue { try await run([Bytes(name)] + arguments.map { Bytes($0) }) }
}

extension RedisValue {
    /// The values of an array.
    func values(of command: String) throws(TarmacError) -> [RedisValue] {
        guard let array else { throw .strangeReply(to: command) }
        return array
    }

    /// The number of a numeric reply.
    func number(of command: String) throws(TarmacError) -> Int64 {
        guard let number else { throw .strangeReply(to: command) }
        return number
    }
}

extension TarmacError {
    /// A reply of another kind than the command has.
    static func strangeReply(to command: String) -> TarmacError {
        TarmacError(.storeFailed, phase: .waiting, "the Redis server answered \(command) with another kind of reply")
    }
}
#endif
