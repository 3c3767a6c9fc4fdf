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
            caller = try await owner(of: request, context).text
        } else {
            caller = try await context.principal(of: request).byName.text(hash: PublicHash.hash) + callers(of: request.headers)
        }
        return text([
            kind, context.service, context.environment.name, caller, own.isEmpty ? "\(request.method.rawValue) \(request.url.string)" : own, name,
        ])
    }

    /// Returns the user of a transfer. During a call it stays the same, so that a transfer continues after a pause although a response has changed
    /// the cookies.
    package static func owner(of request: Request, _ context: CallContext) async throws -> TransferOwner {
        let hold = context.option(Settings.transferHold)
        if let known = hold?.owner { return known }
        let owner = try await TransferOwner(of: request, context)
        hold?.owner = owner
        return owner
    }

    /// Fields that say who asks, or for whom. A secret one is in the principal, or is a token that changes.
    static func callers(of headers: HTTPFields) -> String {
        headers.filter { CallerName.kind(of: $0.name.rawName) == .name }.map { "\($0.name.canonicalName):\($0.value)" }.sorted().joined(separator: "#")
    }

    /// Returns a hash of the fields that say what an upload is: those with which it is created, except credentials and fields that may differ
    /// when the same call is repeated.
    package static func content(of headers: HTTPFields, _ context: CallContext) -> String {
        let redactor = context.redactor
        let fields = headers.filter { field in
            !redactor.isSecret(field.name) && CallerName.kind(of: field.name.rawName) != .secret && !isOfOneRequest(field.name.canonicalName)
        }
        return text(fields.map { "\($0.name.canonicalName):\($0.value)" }.sorted())
    }

    private static func isOfOneRequest(_ name: String) -> Bool {
        let words = name.split(separator: "-")
        return repeated.contains(name) || name.hasPrefix("x-b3-") || words.last == "time" || words.contains { ofOneRequest.contains(String($0)) }
    }

    /// Fields of the client, and of a single request.
    private static let repeated: Set<String> = [
        "idempotency-key", "user-agent", "accept", "accept-encoding", "accept-language", "cache-control", "pragma", "date", "priority", "traceparent",
        "tracestate", "baggage", "b3", "newrelic", "x-location",
    ]
    /// Words in the names of such fields.
    private static let ofOneRequest: Set<String> = [
        "trace", "traceparent", "tracestate", "span", "nonce", "timestamp", "signature", "sign", "request", "correlation", "transaction", "operation",
        "message", "parent", "retry", "attempt", "invocation", "datadog",
    ]

    /// Returns a hash of ``Options/transferKey``, which finds the records of its transfers; `nil` without one.
    package static func mark(_ own: String) -> String? { own.isEmpty ? nil : text(["mark", own]) }

    /// Returns a hash of the parts with their lengths, so that different lists have different texts.
    package static func text(_ parts: [String]) -> String {
        Hexadecimal.text(PublicHash.hash(parts.flatMap { Array("\($0.utf8.count):".utf8) + Array($0.utf8) }))
    }
}
