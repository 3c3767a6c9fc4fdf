#if canImport(Darwin)
import Foundation
import Security
import TarmacJSON

/// Tokens in the Keychain: on this device alone, readable after its first unlock.
///
/// The items are in the data protection keychain, on macOS too. It needs a program that is signed with an application identifier
/// or a Keychain access group, as an app is. An unsigned tool on macOS, such as one that `swift run` starts, fails with
/// `TarmacError(.tokenStoreFailed)` and status −34018 (`errSecMissingEntitlement`): use ``FileTokenStore`` there.
public struct KeychainTokenStore: TokenStore, CustomStringConvertible {
    /// The access group shared with other apps of the team. Default `nil`: this app's own.
    public let accessGroup: String?

    public init(accessGroup: String? = nil) { self.accessGroup = accessGroup }

    public func token(for key: TokenKey) throws -> AccessToken? {
        var query = query(key)
        query[kSecReturnData as String] = true
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess, let data = found as? Data else { throw failed(key, "read", status) }
        guard let token = try? TarmacJSONDecoder().decode(AccessToken.self, from: data) else { throw failed(key, "decoded", errSecDecode) }
        return token
    }

    public func save(_ token: AccessToken, for key: TokenKey) throws {
        let content: [String: Any] = [
            kSecValueData as String: try TarmacJSONEncoder().encode(token),
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        let status = SecItemUpdate(query(key) as CFDictionary, content as CFDictionary)
        if status == errSecSuccess { return }
        guard status == errSecItemNotFound else { throw failed(key, "written", status) }
        let added = SecItemAdd(query(key).merging(content) { $1 } as CFDictionary, nil)
        guard added == errSecSuccess else { throw failed(key, "written", added) }
    }

    public func removeToken(for key: TokenKey) throws {
        let status = SecItemDelete(query(key) as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else { throw failed(key, "removed", status) }
    }

    public var description: String { "Keychain" }

    private func query(_ key: TokenKey) -> [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "tarmac.token",
            kSecAttrAccount as String: key.text,
            kSecUseDataProtectionKeychain as String: true,
        ]
        if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
        return query
    }

    private func failed(_ key: TokenKey, _ deed: String, _ status: OSStatus) -> TarmacError { KeychainStatus(status).error(key, deed) }
}
#endif
