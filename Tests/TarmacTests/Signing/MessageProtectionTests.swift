import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacSigning

/// The kernel and its rooms learn from the settings how messages are protected, whichever room brings the settings.
@Suite("Protection of messages", .timeLimit(.minutes(5)))
struct MessageProtectionTests {
    enum Setting: CaseIterable, Sendable {
        case none, another, signing, encryption, verification, all, off

        func set(_ options: inout Options) {
            if self == .another { options.retry = .never }
            if self == .signing || self == .all { options.signing = .signer(Counting()) }
            if self == .encryption || self == .all { options.encryption = .cipher(Flip()) }
            if self == .verification || self == .all { options.verification = .verifier(Echoed()) }
            if self == .off { (options.encryption, options.verification) = (.off, .off) }
        }

        var protection: MessageProtection {
            switch self {
            case .none, .another, .signing, .off: []
            case .encryption: .encryption
            case .verification: .verification
            case .all: [.encryption, .verification]
            }
        }
    }

    @Test(arguments: Setting.allCases)
    func theSettingsOfACallSayHowItsMessagesAreProtected(setting: Setting) async throws {
        let seen = Watched<MessageProtection?>(nil)
        let client = Client(StubTransport { _ in .status(.ok) }) { setting.set(&$0) }
        try await client.get("/a") {
            $0.interceptors = [
                Intercepting { _, chain in
                    seen.update { $0 = chain.context.protection }
                    return .status(.ok)
                }
            ]
        }
        #expect(seen.value == setting.protection)
    }
}
