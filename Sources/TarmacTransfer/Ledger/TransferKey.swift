package import HTTPTypes
package import TarmacCore
import TarmacDigest
import TarmacMasking
import TarmacResilience

/// The key of a transfer: a hash, so that neither a store nor the name of a partial file reveals the transfer.
package enum TransferKey {
    /// - Parameters:
    ///   - kind: The kind; downloads and uploads never share a key.
    ///   - name: The name of the file without its folders.
    package static func make(_ kind: String, _ request: Request, name: String, _ context: CallContext) async throws -> String {
        let own = context.option(Settings.transferKey), caller: String
        if context.capabilities.contains(.outlivesProcess) {
            // Such a transport finds its bytes by the key alone. Elsewhere a record says whose it is: cookies may change with each response, and
            // a key with them would leave a record and a partial file for each.
            caller = try await owner(of: request, context)
        } else {
            caller = try await context.principal(of: request).byName.text(hash: PublicHash.hash) + callers(of: request.headers)
        }
        return text([
            kind, context.service, context.environment.name, caller, own.isEmpty ? "\(request.method.rawValue) \(request.url.string)" : own, name,
        ])
    }

    /// Returns a text for the user of a transfer. The cookies of a jar tell users apart that have no name and no account. During a call it stays
    /// the same, so that a transfer continues after a pause although a response has changed the cookies.
    package static func owner(of request: Request, _ context: CallContext) async throws -> String {
        let hold = context.option(Settings.transferHold)
        if let known = hold?.owner { return known }
        var principal = try await context.principal(of: request)
        if !principal.isNamed, let cookies = try await cookies(of: request, context) { principal = principal.known(by: "cookie: \(cookies)") }
        let owner = principal.byName.text(hash: PublicHash.hash) + callers(of: context.stamped(request).headers)
        hold?.owner = owner
        return owner
    }

    private static func cookies(of request: Request, _ context: CallContext) async throws -> String? {
        guard let keeper = context.option(Settings.cookies).keeper else { return nil }
        if keeper.needsLoading { try await context.outlived(in: .intercepting) { await keeper.load() } }
        return context.cookies(of: request, try await context.cookieScope(request), keeper)
    }

    /// Fields that say who asks, or for whom. A secret one is in the principal, or is a token that changes.
    private static func callers(of headers: HTTPFields) -> String {
        headers.filter { CallerName.kind(of: $0.name.rawName) == .name }.map { "\($0.name.canonicalName):\($0.value)" }.sorted().joined(separator: "#")
    }

    /// Returns a hash of the fields that say what an upload is: those with which it is created, except credentials and fields that may differ
    /// when the same call is repeated.
    package static func content(of headers: HTTPFields, _ context: CallContext) -> String {
        let redactor = context.redactor
        let fields = headers.filter { field in
            let name = field.name.canonicalName
            return !redactor.isSecret(field.name) && CallerName.kind(of: field.name.rawName) != .secret && !repeated.contains(name)
                && !name.hasPrefix("x-b3-") && name.split(separator: "-").allSatisfy { !ofOneRequest.contains(String($0)) }
        }
        return text(fields.map { "\($0.name.canonicalName):\($0.value)" }.sorted())
    }

    /// Fields of the client, and of a single request.
    private static let repeated: Set<String> = [
        "idempotency-key", "user-agent", "accept", "accept-encoding", "accept-language", "cache-control", "pragma", "date", "priority", "traceparent",
        "tracestate", "baggage", "b3", "x-request-id", "x-correlation-id",
    ]
    /// Words in the names of such fields.
    private static let ofOneRequest: Set<String> = ["trace", "span", "nonce", "timestamp", "signature", "sign"]

    /// Returns a hash of ``Options/transferKey``, which finds the records of its transfers; `nil` without one.
    package static func mark(_ own: String) -> String? { own.isEmpty ? nil : text(["mark", own]) }

    /// Returns a hash of the parts with their lengths, so that different lists have different texts.
    package static func text(_ parts: [String]) -> String {
        Hexadecimal.text(PublicHash.hash(parts.flatMap { Array("\($0.utf8.count):".utf8) + Array($0.utf8) }))
    }
}
