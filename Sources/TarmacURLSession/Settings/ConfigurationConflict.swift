import Foundation
import TarmacCore
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Finds what an app's own configuration says about the same thing as a setting of Tarmac.
struct ConfigurationConflict {
    /// The properties that Tarmac sets, as they were.
    private struct Snapshot: Equatable {
        let values: [String]

        init(_ configuration: URLSessionConfiguration) {
            values = [
                "\(configuration.httpMaximumConnectionsPerHost)", configuration.urlCache.map { "\(ObjectIdentifier($0))" } ?? "",
                "\(configuration.requestCachePolicy)", configuration.httpCookieStorage.map { "\(ObjectIdentifier($0))" } ?? "",
                "\(configuration.httpShouldSetCookies)", "\(configuration.timeoutIntervalForRequest)", "\(configuration.timeoutIntervalForResource)",
                configuration.connectionProxyDictionary.map { "\($0.count)" } ?? "",
                "\(configuration.httpCookieAcceptPolicy)", configuration.urlCredentialStorage.map { "\(ObjectIdentifier($0))" } ?? "",
            ]
        }

        static let names = [
            ("httpMaximumConnectionsPerHost", "connectionsPerHost"), ("urlCache", "cache"), ("requestCachePolicy", "cache"),
            ("httpCookieStorage", "cookies"), ("httpShouldSetCookies", "cookies"), ("timeoutIntervalForRequest", "timeout and idleTimeout"),
            ("timeoutIntervalForResource", "deadline"), ("connectionProxyDictionary", "proxy"),
            ("httpCookieAcceptPolicy", "cookies"), ("urlCredentialStorage", "authenticator"),
        ]
        static let stores: Set = ["urlCache", "httpCookieStorage", "urlCredentialStorage"]
    }

    private let before: Snapshot

    init(before configuration: URLSessionConfiguration) { before = Snapshot(configuration) }

    /// Returns the error for the first property that an app has changed and Tarmac would set again.
    ///
    /// - Parameter onlyStores: Whether Tarmac sets the stores alone, as in a background session.
    func error(after configuration: URLSessionConfiguration, _ settings: ConnectionSettings, onlyStores: Bool = false) -> TarmacError? {
        for (index, value) in Snapshot(configuration).values.enumerated() where value != before.values[index] {
            let (property, setting) = Snapshot.names[index]
            if onlyStores, !Snapshot.stores.contains(property) { continue }
            // What the app says instead of a setting that it leaves alone is no contradiction.
            if property == "connectionProxyDictionary", settings.proxy == .system { continue }
            // The transport of streams has a limit that no app has set.
            if property == "httpMaximumConnectionsPerHost", [nil, ConnectionSettings.connectionsForStreams].contains(settings.connectionsPerHost) { continue }
            return TarmacError(
                .invalidOption, "\(property) of the URLSessionConfiguration contradicts \(setting): Tarmac sets it",
                suggestion: "leave \(property) alone, and set \(setting)")
        }
        return credentials(in: configuration)
    }

    /// The platform adds these fields to requests to every origin, where Tarmac cannot strip them.
    private func credentials(in configuration: URLSessionConfiguration) -> TarmacError? {
        let names = (configuration.httpAdditionalHeaders ?? [:]).keys.map { "\($0)".lowercased() }
        guard let name = names.first(where: ["authorization", "proxy-authorization", "cookie"].contains) else { return nil }
        return TarmacError(
            .invalidOption, "httpAdditionalHeaders of the URLSessionConfiguration has \(name), which would go to every origin",
            suggestion: "use the setting headers or authenticator")
    }
}
