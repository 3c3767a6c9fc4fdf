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

    public func token(for key: TokenKey) throws -> AccessToken? { try entry(for: key).token }

    public func save(_ token: AccessToken, for key: TokenKey) throws {
        let content = try content(token)
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

    /// Each write gives the item another version.
    private func content(_ token: AccessToken) throws -> [String: Any] {
        [
            plainText(kSecValueData): try TarmacJSONEncoder().encode(token),
            plainText(kSecAttrGeneric): Data(UUID().uuidString.utf8),
            plainText(kSecAttrAccessible): kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
    }

    private func query(_ key: TokenKey, _ version: TokenVersion = .unknown) -> [String: Any] {
        var query: [String: Any] = [
            plainText(kSecClass): kSecClassGenericPassword,
            plainText(kSecAttrService): "tarmac.token",
            plainText(kSecAttrAccount): key.text,
            plainText(kSecUseDataProtectionKeychain): true,
        ]
        if case .value(let bytes) = version { query[plainText(kSecAttrGeneric)] = Data(bytes) }
        if let accessGroup { query[plainText(kSecAttrAccessGroup)] = accessGroup }
        return query
    }
}

extension KeychainTokenStore: VersionedTokenStore {
    package func entry(for key: TokenKey) throws -> (token: AccessToken?, version: TokenVersion) {
        var query = query(key)
        query[plainText(kSecReturnData)] = true
        query[plainText(kSecReturnAttributes)] = true
        var found: CFTypeRef?
        let status = KeychainStatus(SecItemCopyMatching(coreDictionary(query), &found))
        let item = plainDictionary(found)
        let version = status.version(item[plainText(kSecAttrGeneric)] as? Data)
        do { return (try status.token(in: item[plainText(kSecValueData)] as? Data, for: key), version) } catch {
            if error.cause(as: UnusableContent.self) != nil { _ = try replace(version, with: nil, for: key) }
            throw error
        }
    }

    package func replace(_ version: TokenVersion, with token: AccessToken?, for key: TokenKey) throws -> Bool {
        let query = query(key, version)
        guard let token else {
            return try version == .missing || KeychainStatus(SecItemDelete(coreDictionary(query))).isChange(of: key, "removed")
        }
        let content = try content(token)
        let status =
            version == .missing
            ? SecItemAdd(coreDictionary(query.merging(content) { $1 }), nil) : SecItemUpdate(coreDictionary(query), coreDictionary(content))
        return try KeychainStatus(status).isChange(of: key, "written")
    }
}
#endif
