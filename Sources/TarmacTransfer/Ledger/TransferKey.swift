import HTTPTypes
package import TarmacCore
import TarmacDigest
import TarmacMasking

/// The key of a transfer: a hash, so that neither a store nor the name of a partial file reveals the transfer.
package enum TransferKey {
    /// - Parameters:
    ///   - kind: The kind; downloads and uploads never share a key.
    ///   - name: The name of the file without its folders.
    package static func make(_ kind: String, _ request: Request, name: String, _ context: CallContext) async throws -> String {
        let own = context.option(Settings.transferKey)
        let principal = try await context.principal(of: request).byName.text(hash: PublicHash.hash)
        // Fields that say who asks, or for whom. A secret one is in the principal, or is a token that changes.
        let callers = request.headers.filter { CallerName.kind(of: $0.name.rawName) == .name }.map { "\($0.name.canonicalName):\($0.value)" }
        let caller = principal + callers.sorted().joined(separator: "#")
        return text([
            kind, context.service, context.environment.name, caller, own.isEmpty ? "\(request.method.rawValue) \(request.url.string)" : own, name,
        ])
    }

    /// Returns a hash of the parts with their lengths, so that different lists have different texts.
    package static func text(_ parts: [String]) -> String {
        Hexadecimal.text(PublicHash.hash(parts.flatMap { Array("\($0.utf8.count):".utf8) + Array($0.utf8) }))
    }
}
