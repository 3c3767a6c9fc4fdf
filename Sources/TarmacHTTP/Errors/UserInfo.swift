import TarmacJSON

/// Values of the app that travel with a call and appear in its events, hooks and errors.
///
/// Each value has a key that states its type:
///
/// ```swift
/// enum Screen: UserInfoKey { typealias Value = String }
/// options.userInfo[Screen.self] = "checkout"
/// error.userInfo[Screen.self]                   // "checkout"
/// ```
/// Tarmac neither reads nor prints the values. Wrap a screen in a weak reference before you store it here.
public struct UserInfo: Sendable {
    private struct Entry: Sendable {
        let name: String
        let value: any Sendable
    }
    private var entries: [ObjectIdentifier: Entry] = [:]

    /// Makes an empty collection of values.
    public init() {}

    /// The value of a key, or `nil` if there is none.
    public subscript<Key: UserInfoKey>(key: Key.Type) -> Key.Value? {
        get { entries[ObjectIdentifier(key)]?.value as? Key.Value }
        set { entries[ObjectIdentifier(key)] = newValue.map { Entry(name: Key.name, value: $0) } }
    }

    /// Whether there are no values.
    package var isEmpty: Bool { entries.isEmpty }

    package func merged(over lower: UserInfo) -> UserInfo {
        var result = lower
        result.entries.merge(entries) { _, upper in upper }
        return result
    }
}

/// The key of a value in ``UserInfo``.
public protocol UserInfoKey {
    associatedtype Value: Sendable
    /// The name of the key in descriptions. Default: the name of the type.
    static var name: String { get }
}

extension UserInfoKey {
    public static var name: String { "\(Self.self)" }
}

extension UserInfo: MaskedReflectable {
    /// The names of the keys. The values are not shown, because they may be secrets.
    public var description: String { entries.values.map(\.name).ordered().joined(separator: ", ") }
}
