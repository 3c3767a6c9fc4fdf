#if SQLite
import TarmacCore
import TarmacTransfer

/// What a cache writes of its texts and bytes: as they are, or sealed.
///
/// Texts that are looked for cannot be sealed, which gives other bytes each time. In a sealed cache a digest stands for them,
/// with a salt that is sealed itself, so that nobody can try guesses.
struct CacheKeyDigester: Sendable {
    private let sealer: (any Sealer)?
    private let salt: [UInt8]
    /// Whether everything is hidden and stays so.
    let isShut: Bool

    /// Nothing is hidden.
    init() { (sealer, salt, isShut) = (nil, [], false) }

    init(_ sealer: any Sealer, salt: [UInt8]) { (self.sealer, self.salt, isShut) = (sealer, salt, false) }

    /// What the key of a sealed cache is needed for fails.
    static let shut = CacheKeyDigester(shut: ShutSealer())

    private init(shut sealer: any Sealer) { (self.sealer, salt, isShut) = (sealer, [], true) }

    private struct ShutSealer: Sealer {
        func seal(_ plaintext: Bytes, context: Bytes) throws -> Bytes { throw TarmacError(.unknownKey, "the cache is sealed and its key is not here") }
        func open(_ sealed: Bytes, context: Bytes) throws -> Bytes { throw TarmacError(.unknownKey, "the cache is sealed and its key is not here") }
    }

    var isSealed: Bool { sealer != nil }

    /// What a text is looked up by.
    func name(_ text: String) -> String {
        if sealer == nil { return text }
        var digester = Digesters.builtIn.make(.sha256)
        (salt + text.utf8).withUnsafeBytes { digester.update($0) }
        return digester.finish().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    func seal(_ bytes: Bytes, as place: Place) throws -> Bytes { try sealer?.seal(bytes, context: place.context) ?? bytes }
    func open(_ bytes: Bytes, as place: Place) throws -> Bytes { try sealer?.open(bytes, context: place.context) ?? bytes }

    /// What bytes are: nothing sealed can be moved to another place.
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
