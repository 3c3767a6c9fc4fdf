import HTTPTypes
import TarmacCore

/// What a transfer is known by: a hash, so that neither a store nor the name of a partial file tells what is transferred.
enum TransferKey {
    /// - Parameters:
    ///   - kind: downloads and uploads never share a key.
    ///   - name: the name of the file without its folders (YTK-B11).
    static func make(_ kind: String, _ request: Request, name: String, _ context: CallContext) async throws -> String {
        let own = context.option(TransferKeyOption.self)
        let principal = try await context.principal(of: request).byName.text(hash: PublicHash.hash)
        return text([
            kind, context.service, context.environment.name, principal, own.isEmpty ? "\(request.method.rawValue) \(request.url.string)" : own, name,
        ])
    }

    /// Lengths before the parts, so that no two lists read the same.
    static func text(_ parts: [String]) -> String {
        Hexadecimal.text(PublicHash.hash(parts.flatMap { Array("\($0.utf8.count):".utf8) + Array($0.utf8) }))
    }
}
