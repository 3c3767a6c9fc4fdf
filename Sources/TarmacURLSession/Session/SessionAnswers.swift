import Foundation
package import TarmacCore
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The answers of a session to the platform's questions.
package struct SessionAnswers: Sendable {
    let trust: ServerTrustPolicy
    let challenges: ChallengePolicy
    let identity: Platform.Identity?
    let proxy: ConnectionSettings.ProxyAuthorization?
    let app: (any URLSessionTaskDelegate & Sendable)?

    /// Makes the answers of a session for the settings alone.
    ///
    /// - Throws: `TarmacError` for certificates that cannot be used.
    package init(_ settings: ConnectionSettings) throws(TarmacError) { try self.init(settings, app: nil) }

    init(_ settings: ConnectionSettings, app: (any URLSessionTaskDelegate & Sendable)?) throws(TarmacError) {
        trust = try ServerTrustPolicy(settings)
        identity = try settings.clientIdentity.map { own throws(TarmacError) in try Platform.identity(own) }
        if case .http(_, _, let authorization) = settings.proxy { proxy = authorization } else { proxy = nil }
        self.app = app
        challenges = ChallengePolicy(hasIdentity: identity != nil, hasProxyCredentials: proxy != nil, hasDelegate: app != nil)
    }

    /// Throws `TarmacError(.pinMismatch)` for plain HTTP to a host with enforced pins.
    package func check(_ url: HTTPURL) throws(TarmacError) { try trust.check(url) }
}
