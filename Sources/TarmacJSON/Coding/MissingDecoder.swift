/// The decoder of a superclass whose member is missing. It decodes `null`, as Foundation's does, and its errors name
/// the member.
struct MissingDecoder: Decoder {
    let context: DecodingContext
    /// The place of the object without the member.
    let object: Int
    let key: AnyCodingKey

    var codingPath: [any CodingKey] { context.codingPath(to: object) + [key] }

    var userInfo: [CodingUserInfoKey: Any] { context.settings.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw context.missing(key, in: object, [String: Any].self)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw context.missing(key, in: object, [Any].self) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension MissingDecoder: DocumentBacked {
    var json: JSON { .null }
}

extension MissingDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { true }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: self) }

    func decode(_ type: Bool.Type) throws -> Bool { try missing(type) }
    func decode(_ type: String.Type) throws -> String { try missing(type) }
    func decode(_ type: Double.Type) throws -> Double { try missing(type) }
    func decode(_ type: Float.Type) throws -> Float { try missing(type) }
    func decode(_ type: Int.Type) throws -> Int { try missing(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try missing(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try missing(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try missing(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try missing(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try missing(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try missing(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try missing(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try missing(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try missing(type) }

    fileprivate func missing<T>(_ type: T.Type) throws -> T { throw context.missing(key, in: object, type) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension MissingDecoder {
    func decode(_ type: Int128.Type) throws -> Int128 { try missing(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try missing(type) }
}
