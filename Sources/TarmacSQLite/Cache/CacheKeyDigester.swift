#if SQLite
import TarmacCore
import TarmacTransfer

/// The encoding of a cache's texts and bytes: plain, or sealed.
///
/// A sealed text differs each time, so it cannot be searched for. A sealed cache stores a digest instead, with a salt
/// that is itself sealed, so that guesses cannot be tested.
struct CacheKeyDigester: Sendable {
    private let sealer: (any Sealer)?
    private let salt: [UInt8]
    /// Whether the cache is sealed and its key is missing.
    let isShut: Bool

    /// Creates an encoding that leaves everything plain.
    init() { (sealer, salt, isShut) = (nil, [], false) }

    init(_ sealer: any Sealer, salt: [UInt8]) { (self.sealer, self.salt, isShut) = (sealer, salt, false) }

    /// The encoding of a sealed cache without its key: sealing and opening fail.
    static let shut = CacheKeyDigester(shut: ShutSealer())

    private init(shut sealer: any Sealer) { (self.sealer, salt, isShut) = (sealer, [], true) }

    private struct ShutSealer: Sealer {
        func seal(_ plaintext: Bytes, context: Bytes) throws -> Bytes { throw TarmacError(.unknownKey, "the cache is sealed and its key is not here") }
        func open(_ sealed: Bytes, context: Bytes) throws -> Bytes { throw TarmacError(.unknownKey, "the cache is sealed and its key is not here") }
    }

    var isSealed: Bool { sealer != nil }

    /// Returns the form of a text for lookups.
    func name(_ text: String) -> String {
        if sealer == nil { return text }
        var digester = Digesters.builtIn.make(.sha256)
        (salt + text.utf8).withUnsafeBytes { digester.update($0) }
        return digester.finish().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    func seal(_ bytes: Bytes, as place: Place) throws -> Bytes { try sealer?.seal(bytes, context: place.context) ?? bytes }
    func open(_ bytes: Bytes, as place: Place) throws -> Bytes { try sealer?.open(bytes, context: place.context) ?? bytes }

    /// The place of sealed bytes, which binds them: they cannot be moved to another place.
    enum Place {
        case salt
        case head(UInt64)
        case body(UInt64)
        case chunk(body: Int64, number: Int64)

        var context: Bytes {
            switch self {
            case .salt: Bytes("tarmac cache salt")
            case .head(let id): Bytes("tarmac cache head \(id)")
            case .body(let id): Bytes("tarmac cache body \(id)")
            case .chunk(let body, let number): Bytes("tarmac cache chunk \(body) \(number)")
            }
        }
    }
}
#endif
