/// An object being decoded. Members are searched in the tape; nothing is collected in advance.
struct KeyedTapeContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let context: DecodingContext
    let index: Int

    var codingPath: [any CodingKey] { context.codingPath(to: index) }

    var allKeys: [Key] { context.allKeys(of: index).compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { find(key) != nil }

    @inline(__always)
    private func find(_ key: Key) -> Int? { context.value(forKey: key.stringValue, of: index) }

    @inline(__always)
    private func place(_ key: Key) throws -> Int {
        guard let place = find(key) else { throw context.keyNotFound(key, in: index) }
        return place
    }

    /// As ``place(_:)``, for the types that few models have: inlined, the search is a kilobyte for each.
    @inline(never)
    private func rarePlace(_ key: Key) throws -> Int { try place(key) }

    /// Returns the place of a member; nil if it is missing or null.
    @inline(__always)
    private func present(_ key: Key) -> Int? {
        guard let place = find(key), !context.isNull(place) else { return nil }
        return place
    }

    @inline(never)
    private func rarePresent(_ key: Key) -> Int? { present(key) }

    func decodeNil(forKey key: Key) throws -> Bool { context.isNull(try place(key)) }

    // MARK: Nesting

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    /// Returns a decoder as Foundation does: a missing member decodes as `null`.
    func superDecoder() throws -> any Decoder { try superDecoder(named: AnyCodingKey.superKey.stringValue) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder(named: key.stringValue) }

    private func superDecoder(named name: String) throws -> any Decoder {
        guard let value = context.value(forKey: name, of: index) else {
            return MissingDecoder(context: context, object: index, key: AnyCodingKey(name))
        }
        return try context.decoder(at: value)
    }

    private func decoder(_ key: Key) throws -> TapeDecoder { try context.decoder(at: rarePlace(key)) }

    // MARK: Values

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try context.bool(at: place(key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try context.string(at: place(key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try context.double(at: place(key)) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try context.float(at: rarePlace(key)) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try context.integer(at: place(key), as: type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try context.integer(at: rarePlace(key), as: type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try context.integer(at: rarePlace(key), as: type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try context.integer(at: rarePlace(key), as: type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try context.integer(at: place(key), as: type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try context.integer(at: rarePlace(key), as: type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try context.integer(at: rarePlace(key), as: type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try context.integer(at: rarePlace(key), as: type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try context.integer(at: rarePlace(key), as: type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try context.integer(at: rarePlace(key), as: type) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try context.value(at: place(key), as: type)
    }

    // MARK: Optional values

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try present(key).map { try context.bool(at: $0) }
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try present(key).map { try context.string(at: $0) }
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try present(key).map { try context.double(at: $0) }
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try rarePresent(key).map { try context.float(at: $0) }
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try present(key).map { try context.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        try rarePresent(key).map { try context.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        try rarePresent(key).map { try context.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        try rarePresent(key).map { try context.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try present(key).map { try context.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        try rarePresent(key).map { try context.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        try rarePresent(key).map { try context.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        try rarePresent(key).map { try context.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        try rarePresent(key).map { try context.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        try rarePresent(key).map { try context.integer(at: $0, as: type) }
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard let place = present(key) else { return nil }
        return try context.value(at: place, as: type)
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension KeyedTapeContainer {
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try context.integer(at: rarePlace(key), as: type) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try context.integer(at: rarePlace(key), as: type) }
}
