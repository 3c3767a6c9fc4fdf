import HTTPTypes
import TarmacCore

/// Decides whether the request for a page may be sent (pure).
struct PagePolicy: Sendable {
    /// The largest number of pages.
    let limit: Int
    /// The hashes of the requests so far.
    private var seen: Set<Int> = []

    init(limit: Int) { self.limit = limit }

    /// Notes a request before it is sent; throws `.pageLoop` for a repeated one, and `.tooManyPages` beyond the limit.
    mutating func note(_ request: Request) throws(TarmacError) {
        guard seen.count < limit else {
            throw TarmacError(
                .tooManyPages, phase: .building, "there are more than \(limit) pages, the limit",
                suggestion: "raise limit if that many are meant, or leave the loop earlier")
        }
        guard seen.insert(Self.number(request)).inserted else {
            throw TarmacError(
                .pageLoop, phase: .building, "page \(seen.count + 1) is asked for with the same request as a page before: \(request)",
                suggestion: "the server may not know the parameter the pages go by")
        }
    }

    /// Checks the URL of the next page. It gets the credentials of the first page, so it must have the same origin, or
    /// an origin of the service, and must use TLS if the first did.
    static func checked(_ next: HTTPURL, from first: HTTPURL, isOwn: (WebOrigin) -> Bool) throws(TarmacError) -> HTTPURL {
        if first.isSecure, !next.isSecure { throw refused("leads from https to \(next)") }
        guard next.origin == first.origin || isOwn(next.origin) && isOwn(first.origin) else {
            throw refused("leads from \(first.origin) to \(next.origin), which must not see what the first may")
        }
        // A server that received a secret in the path is likely to repeat it.
        return first.hidesPath ? next.showing(path: HTTPURL.hiddenPath) : next
    }

    private static func refused(_ reason: String) -> TarmacError {
        TarmacError(
            .pageRefused, phase: .building, "the link to the next page \(reason)",
            suggestion: "add the host to the service if it belongs to it, or make the next call with .next { … }")
    }

    private static func number(_ request: Request) -> Int {
        var hasher = Hasher()
        hasher.combine(request.method)
        hasher.combine(request.url)
        hasher.combine(request.body.buffered)
        // Each call has a different key.
        hasher.combine(request.headers.filter { $0.name != .idempotencyKey })
        return hasher.finalize()
    }
}
