import TarmacCore

/// The note of a process whose refresh was refused: an entry of its own, without a secret, in a store that has no lock.
///
/// Another process may have used the same refresh token first, and may not have saved the new token yet. It must not take
/// the missing entry for a log-out, which removes the note too.
enum RefusalNote {
    private static let mark = "refused refresh"

    static func key(_ key: TokenKey) -> TokenKey { key.derived("refused") }

    static func note(account: String?) -> AccessToken { AccessToken(mark, extras: [mark: mark], account: account) }

    /// Whether an entry is a note. A store that ignores keys may return one in place of a token.
    static func isNote(_ entry: AccessToken) -> Bool { entry.value == mark && entry.extras[mark] == mark }

    /// Whether the store has a note for an account.
    static func exists(in store: any TokenStore, _ key: TokenKey, account: String?) async -> Bool {
        guard let entry = try? await store.token(for: self.key(key)), isNote(entry) else { return false }
        return (entry.account ?? "").isExactly(account ?? "")
    }

    static func remove(from store: any TokenStore, _ key: TokenKey) async throws {
        guard let entry = try await store.token(for: self.key(key)), isNote(entry) else { return }
        try await store.removeToken(for: self.key(key))
    }
}
