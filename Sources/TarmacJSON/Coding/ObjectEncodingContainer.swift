/// Encodes an object directly into the text.
struct ObjectEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let context: EncodingContext
    let handle: EncodingLevel.Handle

    var codingPath: [any CodingKey] { context.codingPath(of: handle) }

    // MARK: Nesting

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        let nested = context.nested(key, of: handle, isObject: true)
        return KeyedEncodingContainer(ObjectEncodingContainer<Nested>(context: nested.context, handle: nested.handle))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let nested = context.nested(key, of: handle, isObject: false)
        return ArrayEncodingContainer(context: nested.context, handle: nested.handle)
    }

    func superEncoder() -> any Encoder { context.superEncoder(AnyCodingKey.superKey, of: handle) }

    func superEncoder(forKey key: Key) -> any Encoder { context.superEncoder(key, of: handle) }

    // MARK: Values

    func encodeNil(forKey key: Key) throws { try context.member(key, of: handle) { context.writeNull() } }

    func encode(_ value: Bool, forKey key: Key) throws {
        try context.member(key, of: handle) { context.write(value) }
    }
    func encode(_ value: String, forKey key: Key) throws {
        try context.member(key, of: handle) { context.write(string: value) }
    }
    func encode(_ value: Double, forKey key: Key) throws {
        try context.member(key, of: handle) { try context.write(floating: value) }
    }
    func encode(_ value: Float, forKey key: Key) throws {
        try context.member(key, of: handle) { try context.write(floating: value) }
    }
    func encode(_ value: Int, forKey key: Key) throws {
        try context.member(key, of: handle) { NumberWriter.write(value, to: context.output) }
    }
    func encode(_ value: Int8, forKey key: Key) throws { try encode(Int(value), forKey: key) }
    func encode(_ value: Int16, forKey key: Key) throws { try encode(Int(value), forKey: key) }
    func encode(_ value: Int32, forKey key: Key) throws { try encode(Int(value), forKey: key) }
    func encode(_ value: Int64, forKey key: Key) throws {
        try context.member(key, of: handle) { NumberWriter.write(value, to: context.output) }
    }
    func encode(_ value: UInt, forKey key: Key) throws {
        try context.member(key, of: handle) { NumberWriter.write(value, to: context.output) }
    }
    func encode(_ value: UInt8, forKey key: Key) throws { try encode(UInt(value), forKey: key) }
    func encode(_ value: UInt16, forKey key: Key) throws { try encode(UInt(value), forKey: key) }
    func encode(_ value: UInt32, forKey key: Key) throws { try encode(UInt(value), forKey: key) }
    func encode(_ value: UInt64, forKey key: Key) throws {
        try context.member(key, of: handle) { NumberWriter.write(value, to: context.output) }
    }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try context.member(key, of: handle) { try context.write(value) }
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension ObjectEncodingContainer {
    func encode(_ value: Int128, forKey key: Key) throws {
        try context.member(key, of: handle) { NumberWriter.write(value, to: context.output) }
    }
    func encode(_ value: UInt128, forKey key: Key) throws {
        try context.member(key, of: handle) { NumberWriter.write(value, to: context.output) }
    }
}
