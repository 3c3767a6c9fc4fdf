import Testing

import Tarmac
@testable import TarmacAuth
@testable import TarmacCore

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
}
