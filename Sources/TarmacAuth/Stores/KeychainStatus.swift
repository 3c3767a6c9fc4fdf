import TarmacCore
import TarmacJSON
import TarmacSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Decides what a status of the Keychain means (pure). The numbers are those of Apple's `SecBase.h`.
struct KeychainStatus: Equatable, Sendable {
    static let success = KeychainStatus(0)
    static let itemNotFound = KeychainStatus(-25300)
    static let duplicateItem = KeychainStatus(-25299)
    /// The device has not been unlocked since it started, or may not ask its user.
    static let interactionNotAllowed = KeychainStatus(-25308)
    static let missingEntitlement = KeychainStatus(-34018)
    /// The item is not one of ours.
    static let undecodable = KeychainStatus(-26275)

    let number: Int32

    init(_ number: Int32) { self.number = number }

    /// Returns the token of an item that was read with this status, or `nil` if there is none.
    ///
    /// - Parameter content: the data of the item.
    /// - Throws: An error with the cause ``UnusableContent`` for an item that is no token, which must go: it would fail every call.
    func token(in content: Data?, for key: TokenKey) throws(TarmacError) -> AccessToken? {
        if self == .itemNotFound { return nil }
        guard self == .success, let content else { throw error(key, "read") }
        guard let token = try? TarmacJSONDecoder().decode(AccessToken.self, from: content) else {
            throw Self.undecodable.error(key, "decoded", cause: UnusableContent("is damaged"))
        }
        return token
    }

    /// Returns the version of an item that was read with this status.
    ///
    /// - Parameter attribute: its `kSecAttrGeneric`, which an item of an earlier release has not.
    func version(_ attribute: Data?) -> TokenVersion {
        if self == .itemNotFound { return .missing }
        guard let attribute, !attribute.isEmpty else { return .unknown }
        return .value(Array(attribute))
    }

    /// Throws unless the item is gone after a removal with this status. It may not have been there.
    func checkRemoval(for key: TokenKey) throws(TarmacError) {
        guard self == .success || self == .itemNotFound else { throw error(key, "removed") }
    }

    /// Whether a change took place that depends on the item's version. Without it another process has changed the item.
    func isChange(of key: TokenKey, _ deed: String) throws(TarmacError) -> Bool {
        switch self {
        case .success: true
        case .itemNotFound, .duplicateItem: false
        default: throw error(key, deed)
        }
    }

    /// Returns the error for a failed operation, with a suggestion if there is one.
    ///
    /// - Parameter deed: the operation, as a participle: "read", "written".
    func error(_ key: TokenKey, _ deed: String, cause: UnusableContent? = nil) -> TarmacError {
        TarmacError(
            .tokenStoreFailed, phase: .authenticating, "the Keychain item of \(key) cannot be \(deed): status \(number)\(name)",
            suggestion: suggestion, cause: cause)
    }

    private var name: String {
        switch self {
        case .interactionNotAllowed: " (errSecInteractionNotAllowed)"
        case .duplicateItem: " (errSecDuplicateItem)"
        case .missingEntitlement: " (errSecMissingEntitlement)"
        case .undecodable: " (errSecDecode)"
        default: ""
        }
    }

    private var suggestion: String? {
        switch self {
        case .missingEntitlement:
            "sign the program with a team, and add the Keychain Sharing capability or leave accessGroup out;"
                + " an unsigned tool on macOS keeps its tokens in FileTokenStore"
        case .interactionNotAllowed: "try again once the device has been unlocked"
        case .undecodable: "log in again: logging in replaces the item"
        default: nil
        }
    }
}
