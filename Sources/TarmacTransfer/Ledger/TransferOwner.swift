package import HTTPTypes
@_spi(TarmacRooms) package import TarmacCore
import TarmacDigest
import TarmacHTTP
import TarmacResilience

/// The user of a transfer, for its record. The cookies of a jar tell users apart that have no name and no account.
package final class TransferOwner: Sendable {
    private let principal: Principal
    /// The header fields that say who asks, or for whom.
    package let callers: String
    /// Reads the cookies of the jar that are sent now; `nil` if they do not count.
    private let read: (@Sendable () -> [String: String])?
    private let cookies: Locked<[String: String]>

    init(of request: Request, _ context: CallContext) async throws {
        principal = try await context.principal(of: request).byName
        guard !principal.isNamed else {
            // A client may send a field with another value after each launch.
            (callers, read, cookies) = (TransferKey.callers(of: request.headers), nil, Locked([:]))
            return
        }
        callers = TransferKey.callers(of: context.stamped(request).headers.filter { request.headers.contains($0.name) || !Self.isOfLaunch($0.name) })
        guard let keeper = context.option(Settings.cookies).keeper else {
            (read, cookies) = (nil, Locked([:]))
            return
        }
        if keeper.needsLoading { try await context.outlived(in: .intercepting) { await keeper.load() } }
        let scope = try await context.cookieScope(request)
        let read = { @Sendable in Self.parsed(context.cookies(of: request, scope, keeper) ?? "") }
        cookies = Locked(read())
        // A transport that outlives the process finds its bytes by this text alone.
        self.read = context.capabilities.contains(.outlivesProcess) ? nil : read
    }

    package var text: String {
        let cookies = cookies.withLock { $0 }.map { "\($0.key)=\($0.value)" }.sorted()
        let principal = cookies.isEmpty ? principal : principal.known(by: "cookie: \(cookies.joined(separator: "; "))")
        return principal.text(hash: PublicHash.hash) + callers
    }

    /// Notes a response to a request of the transfer. The cookies that it sets are of the same user; those that other calls have changed
    /// meanwhile may be of another. Returns whether the text is another now.
    package func note(_ headers: HTTPFields) -> Bool {
        let names = Set(headers[values: .setCookie].map { String($0.prefix { $0 != "=" }).trimmed }.filter { !Self.isOfServer($0) })
        guard let read, !names.isEmpty else { return false }
        let now = read()
        return cookies.withLock { cookies in
            let before = cookies
            for name in names { cookies[name] = now[name] }
            return cookies != before
        }
    }

    /// Returns the cookies of a field by their names, without those that servers change by themselves.
    private static func parsed(_ field: String) -> [String: String] {
        var cookies: [String: String] = [:]
        for pair in field.split(separator: ";") {
            let name = String(pair.prefix { $0 != "=" }).trimmed
            if !isOfServer(name) { cookies[name, default: ""] += "\(pair.drop { $0 != "=" });" }
        }
        return cookies
    }

    /// Whether a cookie is one of a balancer, a filter or a counter of visits, which says nothing of the user.
    private static func isOfServer(_ name: String) -> Bool {
        let small = name.lowercased()
        return ofServers.contains(small) || ofServersStarts.contains(where: small.hasPrefix)
    }

    private static let ofServers: Set<String> = [
        "awselb", "awselbcors", "gclb", "arraffinity", "arraffinitysamesite", "serverid", "srv", "route", "ingresscookie", "__cf_bm",
        "__cflb", "_cfuvid", "cf_clearance", "__cfruid", "ak_bmsc", "bm_sv", "bm_sz", "bm_mi", "_abck", "xsrf-token", "csrf-token", "csrftoken", "_csrf",
        "_gid", "_fbp",
    ]
    private static let ofServersStarts = ["awsalb", "bigipserver", "incap_ses_", "visid_incap_", "nlbi_", "citrix_ns_id", "_ga", "_gat", "_hj", "amplitude_"]

    /// Whether a field of the client is one that may differ after each launch.
    private static func isOfLaunch(_ name: HTTPField.Name) -> Bool {
        let small = name.canonicalName
        return ["session", "launch"].contains { small.contains($0) } || small.split(separator: "-").contains { ["sess", "sid"].contains($0) }
    }
}
