import Foundation
import Tarmac
import TarmacCore
import Testing
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@testable import TarmacURLSession

/// Who answers what the platform asks, and what an app's own configuration may say.
struct ChallengePolicyTests {
    private static let everything = ChallengePolicy(hasIdentity: true, hasProxyCredentials: true, hasDelegate: true)
    private static let nothing = ChallengePolicy(hasIdentity: false, hasProxyCredentials: false, hasDelegate: false)

    @Test func settingsAnswerOnceAndBeforeTheApp() {
        #expect(Self.everything.answer(to: .clientCertificate, failures: 0) == .showIdentity)
        #expect(Self.everything.answer(to: .proxy, failures: 0) == .sendProxyCredentials)
        #expect(Self.everything.answer(to: .clientCertificate, failures: 1) == .refuse(.clientCertificateRequired))
        #expect(Self.everything.answer(to: .proxy, failures: 1) == .refuse(.proxyFailed))
    }

    @Test func appAnswersWhatNoSettingAnswers() {
        let policy = ChallengePolicy(hasIdentity: false, hasProxyCredentials: false, hasDelegate: true)
        for question in [ChallengePolicy.Question.clientCertificate, .proxy, .other] {
            #expect(policy.answer(to: question, failures: 0) == .askApp)
            #expect(Self.nothing.answer(to: question, failures: 0) == .performDefault)
        }
    }

    /// Pins and trust are settings: an app's delegate cannot pass them by.
    @Test func serversAreJudgedByTheSettings() {
        #expect(Self.everything.answer(to: .serverTrust, failures: 0) == .judgeServer)
        #expect(Self.nothing.answer(to: .serverTrust, failures: 3) == .judgeServer)
    }

    private func settings(
        _ settings: ConnectionSettings = ConnectionSettings(), _ change: @escaping @Sendable (URLSessionConfiguration) -> Void
    ) throws -> URLSessionConfiguration {
        try SessionSettings(settings, own: OwnSession(change: change)).configuration
    }

    @Test func whatTheAppSetsStays() throws {
        let configuration = try settings {
            $0.httpAdditionalHeaders = ["X-Fleet": "7"]
            $0.networkServiceType = .background
            $0.httpMaximumConnectionsPerHost = 3
        }
        #expect(configuration.httpAdditionalHeaders?["X-Fleet"] as? String == "7")
        #expect(configuration.networkServiceType == .background)
        #expect(configuration.httpMaximumConnectionsPerHost == 3)
        #expect(configuration.httpCookieStorage == nil && configuration.urlCache == nil)
    }

    @Test(
        arguments: [
            ("timeoutIntervalForRequest", "timeout", { @Sendable in $0.timeoutIntervalForRequest = 5 }),
            ("timeoutIntervalForResource", "deadline", { @Sendable in $0.timeoutIntervalForResource = 5 }),
            ("requestCachePolicy", "cache", { @Sendable in $0.requestCachePolicy = .returnCacheDataElseLoad }),
            ("httpShouldSetCookies", "cookies", { @Sendable in $0.httpShouldSetCookies = false }),
            ("httpMaximumConnectionsPerHost", "connectionsPerHost", { @Sendable in $0.httpMaximumConnectionsPerHost = 3 }),
        ] as [(String, String, @Sendable (URLSessionConfiguration) -> Void)])
    func contradictionNamesBoth(_ property: String, _ setting: String, _ change: @escaping @Sendable (URLSessionConfiguration) -> Void) {
        let error = #expect(throws: TarmacError.self) { try settings(ConnectionSettings { $0.connectionsPerHost = 2 }, change) }
        #expect(error?.code == .invalidOption && error?.reason.contains(property) == true && error?.reason.contains(setting) == true)
    }
}
