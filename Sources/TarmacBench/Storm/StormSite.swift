#if Tools
import Foundation
import Tarmac
@_spi(TarmacRooms) import TarmacCore

/// Where the server is, and how it is called.
struct StormSite: Sendable {
    let url: String
    let folder: String
    let transport: TransportFactory
    let hasConnectTimeout: Bool
    /// The file of the authorities to trust, which changes.
    let trust: String?

    func makeService(_ name: String, _ configure: (inout Options) -> Void = { _ in }) -> Service {
        let connection = ConnectionSettings { if let trust { $0.trust = .only(pemFile: trust) } }
        return Service(name, hosts: [.production: Hosts(url)], connection: connection, configure: configure)
    }

    func configure(_ options: inout Options) {
        options.allowsInsecureHTTP = true
        (options.timeout, options.idleTimeout) = (.seconds(5), .seconds(4))
        options.deadline = .seconds(40)
        if hasConnectTimeout { options.connectTimeout = .seconds(2) }
        options.retry = .exponential(maxAttempts: 4, base: .milliseconds(200)) { $0.budget = .unlimited }
    }
}

/// The answer to most calls: the number that was asked for.
struct StormAnswer: Decodable, Sendable { var n: Int }

/// Logs in and refreshes. A refresh token is good for one use: once its answer has come, it is not sent again. The server cannot judge that,
/// because an attempt that was given up may arrive late.
struct StormAuthenticator: Authenticator {
    struct Pair: Decodable, Sendable { var access, refresh: String }

    let service: Service
    let notes: StormNotes
    private let answered = Locked(Set<String>())

    init(service: Service, notes: StormNotes) { (self.service, self.notes) = (service, notes) }
    var refreshRule: RefreshRule { RefreshRule { ($0.timeout, $0.coolDown) = (.seconds(15), .zero) } }

    func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
        let used = token?.refreshToken ?? ""
        if answered.withLock({ $0.contains(used) }) { notes.violated("the refresh token \(used) was used twice") }
        let pair = try await context.client[service].post("/refresh", ["refresh": used], as: Pair.self)
        answered.withLock { _ = $0.insert(used) }
        return AccessToken(pair.access, refreshToken: pair.refresh)
    }
}
#endif
