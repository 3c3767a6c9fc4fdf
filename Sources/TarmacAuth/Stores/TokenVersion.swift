@_spi(TarmacRooms) import TarmacCore

/// A store in which a write can depend on the entry that was read, such as the Keychain, which has no lock between processes.
package protocol VersionedTokenStore: TokenStore {
    /// Returns the token for a key, and the version of its entry.
    func entry(for key: TokenKey) async throws -> (token: AccessToken?, version: TokenVersion)
    /// Replaces an entry, or removes it, if it still has the version.
    ///
    /// - Returns: `false` if another process has changed the entry.
    func replace(_ version: TokenVersion, with token: AccessToken?, for key: TokenKey) async throws -> Bool
}

/// Tells one content of an entry from the next.
package enum TokenVersion: Equatable, Sendable {
    case missing
    /// An entry without a version, such as one that an earlier release has written.
    case unknown
    case value([UInt8])
}

/// A store as one operation sees it: a write fails with ``EntryChanged`` if another process has changed the entry since the operation read it.
///
/// A write without a reading replaces whatever is there, as a log-in does.
final class VersionedTokenView: TokenStore {
    private let store: any VersionedTokenStore
    private let versions = Locked<[TokenKey: TokenVersion]>([:])

    init(_ store: any VersionedTokenStore) { self.store = store }

    func token(for key: TokenKey) async throws -> AccessToken? {
        versions.withLock { $0[key] = nil }
        let (token, version) = try await store.entry(for: key)
        versions.withLock { $0[key] = version }
        return token
    }

    func save(_ token: AccessToken, for key: TokenKey) async throws {
        guard let version = take(key) else { return try await store.save(token, for: key) }
        guard try await store.replace(version, with: token, for: key) else { throw EntryChanged() }
    }

    func removeToken(for key: TokenKey) async throws {
        guard let version = take(key) else { return try await store.removeToken(for: key) }
        guard try await store.replace(version, with: nil, for: key) else { throw EntryChanged() }
    }

    private func take(_ key: TokenKey) -> TokenVersion? { versions.withLock { $0.removeValue(forKey: key) } }
}

/// Another process has changed an entry between the reading and the write.
struct EntryChanged: Error {}
