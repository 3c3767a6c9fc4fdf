#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif
package import TarmacCore

/// The settings that all sessions of a transport share.
struct SessionSettings: Sendable {
    let configuration: URLSessionConfiguration
    let answers: SessionAnswers
    let connectionsPerHost: Int

    /// Makes the settings.
    ///
    /// - Parameter own: the app's own properties and delegate.
    /// - Throws: `TarmacError` with the name of a setting that is not supported or contradicts the app's configuration, or for certificates
    ///   that cannot be used.
    init(_ settings: ConnectionSettings, own: OwnSession = OwnSession()) throws(TarmacError) {
        answers = try SessionAnswers(settings, app: own.delegate)
        configuration = URLSessionConfiguration.ephemeral
        let before = configuration.httpMaximumConnectionsPerHost
        try own.configure(configuration, settings)
        let wish = configuration.httpMaximumConnectionsPerHost == before ? nil : configuration.httpMaximumConnectionsPerHost
        Self.strip(configuration)
        connectionsPerHost = max(1, settings.connectionsPerHost ?? wish ?? Self.connectionsPerHost)
        configuration.httpMaximumConnectionsPerHost = connectionsPerHost
        Platform.adapt(configuration, to: settings)
    }

    private static let connectionsPerHost = 6
    // Foundation multiplies the value by 1,000 and adds it to the clock, so it must be long but not infinite.
    private static let aYear: TimeInterval = 31_536_000

    /// Makes a configuration store nothing and have no time limits of its own.
    private static func strip(_ configuration: URLSessionConfiguration) {
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCredentialStorage = nil
        configuration.timeoutIntervalForRequest = aYear
        configuration.timeoutIntervalForResource = aYear
    }
}

/// The properties and the delegate that an app adds to the sessions of a transport.
struct OwnSession: Sendable {
    var delegate: (any URLSessionTaskDelegate & Sendable)?
    var change: (@Sendable (URLSessionConfiguration) -> Void)?

    fileprivate func configure(_ configuration: URLSessionConfiguration, _ settings: ConnectionSettings) throws(TarmacError) {
        guard let change else { return }
        let conflict = ConfigurationConflict(before: configuration)
        change(configuration)
        if let error = conflict.error(after: configuration, settings) { throw error }
    }
}

extension URLSessionConfiguration {
    /// Makes this the configuration of a background session: changes it as the app says, and takes out the stores that Tarmac replaces.
    ///
    /// - Throws: `TarmacError(.invalidOption)` for a store of the app's and for credentials that would go to every origin.
    package func prepareForBackground(_ change: (URLSessionConfiguration) -> Void) throws(TarmacError) {
        let conflict = ConfigurationConflict(before: self)
        change(self)
        if let error = conflict.error(after: self, ConnectionSettings(), onlyStores: true) { throw error }
        (urlCache, httpCookieStorage, urlCredentialStorage) = (nil, nil, nil)
    }
}
