#if Redis
public import TarmacCore

/// A client of a Valkey or Redis server, which runs one command at a time.
///
/// ``HiredisClient`` is one over hiredis. `Documentation/Redis.md` has another over valkey-swift.
public protocol RedisCommands: Sendable {
    /// Runs a command and returns the server's reply.
    ///
    /// The method returns within a time limit of the client, whether or not the server answers, and at once when its task is cancelled.
    ///
    /// - Parameter command: the name of the command and its arguments, in any bytes.
    /// - Throws: an error if the server cannot be asked, does not answer in time, or replies with an error. The command may have had its
    ///   effect in the first two cases.
    func run(_ command: [Bytes]) async throws -> RedisValue
}

/// A reply of a Valkey or Redis server (RESP2).
public enum RedisValue: Sendable {
    case null
    case integer(Int64)
    /// A simple or a bulk string.
    case bytes(Bytes)
    case array([RedisValue])
}

extension RedisValue: MaskedReflectable {
    /// The kind and the size of the reply, never its content.
    public var description: String {
        switch self {
        case .null: "null"
        case .integer: "a number"
        case .bytes(let bytes): bytes.description
        case .array(let values): "\(values.count) values"
        }
    }
}

extension RedisValue {
    package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    package var bytes: Bytes? { if case .bytes(let bytes) = self { bytes } else { nil } }
    package var array: [RedisValue]? { if case .array(let values) = self { values } else { nil } }
    /// A number in an integer reply, or in the text that Lua makes of one.
    package var number: Int64? { integer ?? bytes.flatMap { Int64(String(decoding: $0, as: UTF8.self)) } }
}
#endif
