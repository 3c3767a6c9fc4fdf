import Foundation
import TarmacCore
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The settings every session of a transport shares.
struct SessionSettings: Sendable {
    let configuration: URLSessionConfiguration
    let trust: ServerTrustPolicy

    /// Throws `TarmacError` naming what cannot be honoured, such as an unreadable PEM file.
    init(_ settings: ConnectionSettings) throws(TarmacError) {
        trust = try ServerTrustPolicy(settings)
        configuration = Self.bareConfiguration()
        configuration.httpMaximumConnectionsPerHost = settings.connectionsPerHost ?? Self.connectionsPerHost
        Platform.adapt(configuration, to: settings)
    }

    private static let connectionsPerHost = 6
    // Foundation multiplies it by 1,000 and adds it to the clock, so it must be long rather than infinite.
    private static let aYear: TimeInterval = 31_536_000

    /// Nothing is kept, nothing is added, and no time limit but ours ends a request.
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
