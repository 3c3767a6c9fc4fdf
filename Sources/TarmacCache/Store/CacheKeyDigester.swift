package import TarmacCore
import TarmacDigest

/// The encoding of a durable cache's texts and bytes: plain, or sealed.
///
/// A sealed text differs each time, so it cannot be searched for. A sealed cache stores a digest instead, with a salt
/// that is itself sealed, so that guesses cannot be tested.
package struct CacheKeyDigester: Sendable {
    private let sealer: (any Sealer)?
    private let salt: [UInt8]
    /// Whether the cache is sealed and its key is missing.
    package let isShut: Bool

    /// Creates an encoding that leaves everything plain.
    package init() { (sealer, salt, isShut) = (nil, [], false) }

    package init(_ sealer: any Sealer, salt: [UInt8]) { (self.sealer, self.salt, isShut) = (sealer, salt, false) }

    /// The encoding of a sealed cache without its key: sealing and opening fail.
    package static let shut = CacheKeyDigester(shut: ShutSealer())

    private init(shut sealer: any Sealer) { (self.sealer, salt, isShut) = (sealer, [], true) }

    private struct ShutSealer: Sealer {
        func seal(_ plaintext: Bytes, context: Bytes) throws -> Bytes { throw TarmacError(.unknownKey, "the cache is sealed and its key is not here") }
        func open(_ sealed: Bytes, context: Bytes) throws -> Bytes { throw TarmacError(.unknownKey, "the cache is sealed and its key is not here") }
    }

    package var isSealed: Bool { sealer != nil }

    /// Returns the form of a text for lookups: the text itself, or its digest.
    package func name(_ text: String) -> String { sealer == nil ? text : digest(text) }

    /// Returns the salted digest of a text, for stores whose keys are short.
    package func digest(_ text: String) -> String { Hexadecimal.text(PublicHash.hash(salt + text.utf8)) }

    package func seal(_ bytes: Bytes, as place: Place) throws -> Bytes { try sealer?.seal(bytes, context: place.context) ?? bytes }
    package func open(_ bytes: Bytes, as place: Place) throws -> Bytes { try sealer?.open(bytes, context: place.context) ?? bytes }

    /// The place of sealed bytes, which binds them: they cannot be moved to another place.
    package enum Place {
        case salt
        case head(UInt64)
        case body(UInt64)
        case chunk(body: Int64, number: Int64)

        package var context: Bytes {
            switch self {
            case .salt: Bytes("tarmac cache salt")
            case .head(let id): Bytes("tarmac cache head \(id)")
            case .body(let id): Bytes("tarmac cache body \(id)")
            case .chunk(let body, let number): Bytes("tarmac cache chunk \(body) \(number)")
            }
        }
    }
}
