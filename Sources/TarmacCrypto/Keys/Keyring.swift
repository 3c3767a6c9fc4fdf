#if Crypto
@_spi(TarmacRooms) public import TarmacCore

/// The keys for one purpose: the current one seals, and all of them open.
///
/// Share one keyring among the options and stores that use it. A rotation takes effect with the next message.
///
/// ```swift
/// let keys = try Keyring(current: SealingKey("2026-11", key))
/// try keys.rotate(to: SealingKey("2026-12", next))     // 2026-11 still opens
/// keys.remove("2026-11")                               // once nothing sealed with it is left
/// ```
public final class Keyring: Sendable {
    private struct State {
        var current: SealingKey
        var older: [String: SealingKey]
    }
    private let state: Locked<State>

    /// - Throws: `TarmacError(.invalidOption)` if two keys have the same id.
    public init(current: SealingKey, older: [SealingKey] = []) throws(TarmacError) {
        var others: [String: SealingKey] = [:]
        for key in older {
            guard key.id != current.id, others[key.id] == nil else { throw Self.taken(key.id) }
            others[key.id] = key
        }
        state = Locked(State(current: current, older: others))
    }

    /// Makes `key` the current key. The previous one still opens.
    ///
    /// - Throws: `TarmacError(.invalidOption)` if another key has that id.
    public func rotate(to key: SealingKey) throws(TarmacError) {
        try state.withLock { state throws(TarmacError) in
            guard state.current != key else { return }
            guard state.current.id != key.id, state.older[key.id].map({ $0 == key }) ?? true else { throw Self.taken(key.id) }
            state.older[key.id] = nil
            state.older[state.current.id] = state.current
            state.current = key
        }
    }

    /// Removes a key that is not the current one. Opening data sealed with it then throws `.unknownKey`.
    public func remove(_ id: String) {
        state.withLock { $0.older[id] = nil }
    }

    /// The id of the key that seals.
    public var currentID: String { current.id }

    /// The ids of all keys that open, the current one first.
    public var ids: [String] { state.withLock { [$0.current.id] + $0.older.keys.sorted() } }

    var current: SealingKey { state.withLock { $0.current } }

    /// Returns the key with the id that a message names.
    ///
    /// - Throws: `.unknownKey`.
    func key(_ id: String) throws(TarmacError) -> SealingKey {
        let found = state.withLock { $0.current.id == id ? $0.current : $0.older[id] }
        if let found { return found }
        throw TarmacError(
            .unknownKey, phase: .receiving, "it was sealed with the key \"\(ShownID.text(id))\", which is not in the keyring",
            suggestion: "add the key to the keyring's older ones, or have the other side seal with \(currentID)")
    }

    private static func taken(_ id: String) -> TarmacError {
        TarmacError(.invalidOption, "two keys of a keyring have the id \(id)", suggestion: "give every key an id of its own")
    }
}

extension Keyring: MaskedReflectable, CustomDebugStringConvertible {
    /// The ids of the keys.
    public var description: String { "keys " + ids.joined(separator: ", ") }
    public var debugDescription: String { description }
}
#endif
