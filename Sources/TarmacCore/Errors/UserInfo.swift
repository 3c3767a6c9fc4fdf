/// Values of the app's own that travel with a call and come back in its events, hooks and errors (YTK-18), each under a
/// key that knows its type:
///
/// ```swift
/// enum Screen: UserInfoKey { typealias Value = String }
/// options.userInfo[Screen.self] = "checkout"
/// error.context?.userInfo[Screen.self]          // "checkout"
/// ```
/// Tarmac neither reads nor prints the values. Hold screens weakly in them.
public struct UserInfo: Sendable {
    private struct Entry: Sendable {
        let name: String
        let value: any Sendable
    }
    private var entries: [ObjectIdentifier: Entry] = [:]

    /// Carries nothing.
    public init() {}

    /// The value under a key; `nil` when there is none.
    public subscript<Key: UserInfoKey>(key: Key.Type) -> Key.Value? {
        get { entries[ObjectIdentifier(key)]?.value as? Key.Value }
        set { entries[ObjectIdentifier(key)] = newValue.map { Entry(name: Key.name, value: $0) } }
    }

    /// Whether nothing is carried.
    public var isEmpty: Bool { entries.isEmpty }

    func merged(over lower: UserInfo) -> UserInfo {
        var result = lower
        result.entries.merge(entries) { _, upper in upper }
        return result
    }
}

/// The key of a value in ``UserInfo``.
public protocol UserInfoKey {
    associatedtype Value: Sendable
    /// What descriptions call it. Default: the type's name.
    static var name: String { get }
}

extension UserInfoKey {
    public static var name: String { "\(Self.self)" }
}

extension UserInfo: CustomStringConvertible, CustomReflectable {
    /// The names of the keys; never a value, which may be a secret.
    public var description: String { entries.values.map(\.name).sorted().joined(separator: ", ") }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
