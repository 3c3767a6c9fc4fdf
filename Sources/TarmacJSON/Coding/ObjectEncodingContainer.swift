/// An object being encoded, straight into the text.
struct ObjectEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let context: EncodingContext
    let handle: EncodingLevel.Handle

    var codingPath: [any CodingKey] { context.codingPath(handle.depth) }

    // MARK: Nesting

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        let child = child(key)
        return KeyedEncodingContainer(
            ObjectEncodingContainer<Nested>(context: child, handle: child.open(isObject: true)))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let child = child(key)
        return ArrayEncodingContainer(context: child, handle: child.open(isObject: false))
    }

    func superEncoder() -> any Encoder {
        ValueEncoder(context: child(AnyCodingKey.superKey), depth: 0, start: 0)
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        ValueEncoder(context: child(key), depth: 0, start: 0)
    }

    private func child(_ key: some CodingKey) -> EncodingContext {
        var child: EncodingContext?
        do {
            try context.member(key, of: handle) { child = context.child() }
        } catch {
            if let error = error as? EncodingError { context.note(error) }
        }
        return child ?? EncodingContext(settings: context.settings)
    }

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
    func encode(_ value: Int8, forKey key: Key) throws {
        try context.member(key, of: handle) { NumberWriter.write(value, to: context.output) }
    }
    func encode(_ value: Int16, forKey key: Key) throws {
        try context.member(key, of: handle) { NumberWriter.write(value, to: context.output) }
    }
    func encode(_ value: Int32, forKey key: Key) throws {
        try context.member(key, of: handle) { NumberWriter.write(value, to: context.output) }
    }
    func encode(_ value: Int64, forKey key: Key) throws {
        try context.member(key, of: handle) { NumberWriter.write(value, to: context.output) }
    }
    func encode(_ value: UInt, forKey key: Key) throws {
        try context.member(key, of: handle) { NumberWriter.write(value, to: context.output) }
    }
    func encode(_ value: UInt8, forKey key: Key) throws {
        try context.member(key, of: handle) { NumberWriter.write(value, to: context.output) }
    }
    func encode(_ value: UInt16, forKey key: Key) throws {
        try context.member(key, of: handle) { NumberWriter.write(value, to: context.output) }
    }
    func encode(_ value: UInt32, forKey key: Key) throws {
        try context.member(key, of: handle) { NumberWriter.write(value, to: context.output) }
    }
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
