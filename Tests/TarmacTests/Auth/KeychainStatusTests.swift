#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacJSON
import TarmacSupport
import Testing

import Tarmac
@testable import TarmacAuth
@testable import TarmacCore
@testable import TarmacHTTP

/// What the statuses of the Keychain mean; the Keychain itself is not there to be tested.
@Suite struct KeychainStatusTests {
    private let key = TokenKey(service: "shop", environment: "test")

    @Test func aMissingEntitlementSaysWhatToTry() {
        let error = KeychainStatus(-34018).error(key, "written")
        #expect(error.code == .tokenStoreFailed)
        #expect("\(error)".contains("status -34018 (errSecMissingEntitlement)"))
        #expect(error.suggestion?.contains("FileTokenStore") == true)
        #expect(error.suggestion?.contains("Keychain Sharing") == true)
    }

    @Test func aLockedDeviceIsToBeTriedAgain() {
        #expect(KeychainStatus.interactionNotAllowed.error(key, "read").suggestion == "try again once the device has been unlocked")
    }

    @Test func anyOtherStatusIsNamedByItsNumber() {
        let error = KeychainStatus(-50).error(key, "removed")
        #expect("\(error)".contains("cannot be removed: status -50"))
        #expect(error.suggestion == nil)
    }

    @Test func anItemThatIsReadIsItsToken() throws {
        let token = AccessToken("secret", refreshToken: "more")
        #expect(try KeychainStatus.success.token(in: TarmacJSONEncoder().encode(token), for: key) == token)
        #expect(try KeychainStatus.itemNotFound.token(in: nil, for: key) == nil)
    }

    @Test(
        arguments: [
            (KeychainStatus.success, Data("{}".utf8), "cannot be decoded: status -26275 (errSecDecode)"),
            (.success, nil, "cannot be read: status 0"),
            (.interactionNotAllowed, nil, "cannot be read: status -25308"),
        ] as [(KeychainStatus, Data?, String)])
    func anItemThatCannotBeReadSaysWhy(status: KeychainStatus, content: Data?, reason: String) {
        let error = #expect(throws: TarmacError.self) { try status.token(in: content, for: key) }
        #expect(error?.reason.contains(reason) == true)
    }

    /// One that a program of another kind wrote, or half of one. It would fail every call, also the one that logs in.
    @Test(arguments: ["{}", "", "null", "{\"value\":1}"]) func anItemThatIsNoTokenMustGo(content: String) {
        let error = #expect(throws: TarmacError.self) { try KeychainStatus.success.token(in: Data(content.utf8), for: key) }
        #expect(error?.cause(as: UnusableContent.self) != nil)
        let locked = #expect(throws: TarmacError.self) { try KeychainStatus.interactionNotAllowed.token(in: Data(content.utf8), for: key) }
        #expect(locked?.cause(as: UnusableContent.self) == nil)
    }

    @Test func anItemThatIsNotThereIsRemoved() throws {
        try KeychainStatus.success.checkRemoval(for: key)
        try KeychainStatus.itemNotFound.checkRemoval(for: key)
        #expect(throws: TarmacError.self) { try KeychainStatus.missingEntitlement.checkRemoval(for: key) }
    }
}
