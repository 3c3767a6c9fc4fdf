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
        #expect(Self.everything.answer(to: .serverTrust(isSettled: true), failures: 0) == .judgeServer)
        for isSettled in [true, false] { #expect(Self.nothing.answer(to: .serverTrust(isSettled: isSettled), failures: 3) == .judgeServer) }
    }

    @Test func appJudgesAServerThatNoSettingJudges() {
        #expect(Self.everything.answer(to: .serverTrust(isSettled: false), failures: 0) == .askApp)
    }

    @Test func pinsAndTrustSettleTheHostsThatTheyName() throws {
        func settles(_ host: String, _ change: (inout ConnectionSettings) -> Void = { _ in }) throws -> Bool {
            try ServerTrustPolicy(ConnectionSettings(change)).settles(host)
        }
        let pins: Pins = [PinSet("a.example", ["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="])]
        #expect(try !settles("a.example"))
        #expect(try settles("a.example") { $0.pins = pins })
        #expect(try !settles("b.example") { $0.pins = pins })
        #expect(try settles("b.example") { $0.trust = .insecureAcceptAnyCertificate })
        #expect(try settles("b.example") { $0.insecurelySkipsHostName = true })
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

    @Test func aBackgroundSessionKeepsWhatTheAppSetsExceptStores() throws {
        let configuration = URLSessionConfiguration.default
        #expect(configuration.httpCookieStorage != nil)
        try configuration.prepareForBackground {
            ($0.timeoutIntervalForResource, $0.httpMaximumConnectionsPerHost, $0.allowsCellularAccess) = (86_400, 2, false)
        }
        #expect(configuration.timeoutIntervalForResource == 86_400 && configuration.httpMaximumConnectionsPerHost == 2 && !configuration.allowsCellularAccess)
        #expect(configuration.httpCookieStorage == nil && configuration.urlCache == nil && configuration.urlCredentialStorage == nil)
    }

    @Test func aBackgroundSessionRefusesStoresAndCredentialsOfTheApp() {
        for (name, change) in [
            ("urlCache", { $0.urlCache = URLCache(memoryCapacity: 1, diskCapacity: 0, diskPath: nil) }),
            ("authorization", { $0.httpAdditionalHeaders = ["Authorization": "Bearer x"] }),
        ] as [(String, (URLSessionConfiguration) -> Void)] {
            let error = #expect(throws: TarmacError.self) { try URLSessionConfiguration.default.prepareForBackground(change) }
            #expect(error?.code == .invalidOption && error?.reason.contains(name) == true)
        }
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
