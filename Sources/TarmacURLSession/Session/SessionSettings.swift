import Foundation
import TarmacCore
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The settings that all sessions of a transport share.
struct SessionSettings: Sendable {
    let configuration: URLSessionConfiguration
    let trust: ServerTrustPolicy
    let connectionsPerHost: Int

    /// Makes the settings.
    ///
    /// - Throws: `TarmacError` with the name of a setting that is not supported, or for an unreadable PEM file.
    init(_ settings: ConnectionSettings) throws(TarmacError) {
        trust = try ServerTrustPolicy(settings)
        configuration = Self.bareConfiguration()
        connectionsPerHost = settings.connectionsPerHost ?? Self.connectionsPerHost
        configuration.httpMaximumConnectionsPerHost = connectionsPerHost
        Platform.adapt(configuration, to: settings)
    }

    private static let connectionsPerHost = 6
    // Foundation multiplies the value by 1,000 and adds it to the clock, so it must be long but not infinite.
    private static let aYear: TimeInterval = 31_536_000

    /// Returns a configuration that stores nothing, adds no fields and has no time limits of its own.
    private static func bareConfiguration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCredentialStorage = nil
        configuration.timeoutIntervalForRequest = aYear
        configuration.timeoutIntervalForResource = aYear
        return configuration
    }
}
