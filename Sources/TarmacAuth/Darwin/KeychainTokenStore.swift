#if canImport(Darwin)
import Foundation
import Security
public import TarmacCore
import TarmacJSON
import TarmacSupport

/// A token store in the Keychain. Tokens stay on this device and are readable after its first unlock.
///
/// The items are in the data protection keychain, also on macOS. The program must be signed with an application
/// identifier or a Keychain access group, as an app is. An unsigned tool on macOS, such as one that `swift run` starts,
/// fails with `TarmacError(.tokenStoreFailed)` and status −34018 (`errSecMissingEntitlement`); use ``FileTokenStore``
/// there.
public struct KeychainTokenStore: TokenStore, CustomStringConvertible {
    /// The access group shared with other apps of the team. Default: `nil`, the app's own group.
    public let accessGroup: String?

    public init(accessGroup: String? = nil) { self.accessGroup = accessGroup }

    public func token(for key: TokenKey) throws -> AccessToken? {
        var query = query(key)
        query[plainText(kSecReturnData)] = true
        var found: CFTypeRef?
        let status = KeychainStatus(SecItemCopyMatching(coreDictionary(query), &found))
        do { return try status.token(in: plainData(found), for: key) } catch {
            if error.cause(as: UnusableContent.self) != nil { try removeToken(for: key) }
            throw error
        }
    }

    public func save(_ token: AccessToken, for key: TokenKey) throws {
        let content: [String: Any] = [
            plainText(kSecValueData): try TarmacJSONEncoder().encode(token),
            plainText(kSecAttrAccessible): kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        var write = KeychainWrite()
        while true {
            switch write.step {
            case .update: write.note(KeychainStatus(SecItemUpdate(coreDictionary(query(key)), coreDictionary(content))))
            case .add: write.note(KeychainStatus(SecItemAdd(coreDictionary(query(key).merging(content) { $1 }), nil)))
            case .done: return
            case .failed(let status): throw status.error(key, "written")
            }
        }
    }

    public func removeToken(for key: TokenKey) throws {
        try KeychainStatus(SecItemDelete(coreDictionary(query(key)))).checkRemoval(for: key)
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
}
#endif
