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
        query[plainText(kSecReturnData)] = true
        var found: CFTypeRef?
        let status = SecItemCopyMatching(coreDictionary(query), &found)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess, let data = plainData(found) else { throw failed(key, "read", status) }
        guard let token = try? TarmacJSONDecoder().decode(AccessToken.self, from: data) else { throw failed(key, "decoded", errSecDecode) }
        return token
    }

    public func save(_ token: AccessToken, for key: TokenKey) throws {
        let content: [String: Any] = [
            plainText(kSecValueData): try TarmacJSONEncoder().encode(token),
            plainText(kSecAttrAccessible): kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        let status = SecItemUpdate(coreDictionary(query(key)), coreDictionary(content))
        if status == errSecSuccess { return }
        guard status == errSecItemNotFound else { throw failed(key, "written", status) }
        let added = SecItemAdd(coreDictionary(query(key).merging(content) { $1 }), nil)
        guard added == errSecSuccess else { throw failed(key, "written", added) }
    }

    public func removeToken(for key: TokenKey) throws {
        let status = SecItemDelete(coreDictionary(query(key)))
        guard status == errSecSuccess || status == errSecItemNotFound else { throw failed(key, "removed", status) }
    }

    public var description: String { "Keychain" }

    private func query(_ key: TokenKey) -> [String: Any] {
        var query: [String: Any] = [
            plainText(kSecClass): kSecClassGenericPassword,
            plainText(kSecAttrService): "tarmac.token",
            plainText(kSecAttrAccount): key.text,
            plainText(kSecUseDataProtectionKeychain): true,
        ]
        if let accessGroup { query[plainText(kSecAttrAccessGroup)] = accessGroup }
        return query
    }

    private func failed(_ key: TokenKey, _ deed: String, _ status: OSStatus) -> TarmacError { KeychainStatus(status).error(key, deed) }
}
#endif
