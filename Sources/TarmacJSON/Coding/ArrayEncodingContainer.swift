/// Encodes an array directly into the text.
struct ArrayEncodingContainer: UnkeyedEncodingContainer {
    let context: EncodingContext
    let handle: EncodingLevel.Handle

    /// The number of elements, of all containers of the array.
    var count: Int { context.isOpen(handle) ? context.levels[handle.depth].count : 0 }

    var codingPath: [any CodingKey] { context.codingPath(of: handle) }

    @inline(__always)
    private func element(_ body: () throws -> Void) throws {
        try context.element(of: handle, body)
    }

    // MARK: Nesting

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        let nested = context.nested(of: handle, isObject: true)
        return KeyedEncodingContainer(ObjectEncodingContainer<Nested>(context: nested.context, handle: nested.handle))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let nested = context.nested(of: handle, isObject: false)
        return ArrayEncodingContainer(context: nested.context, handle: nested.handle)
    }

    mutating func superEncoder() -> any Encoder { context.superEncoder(of: handle) }

    // MARK: Values

    mutating func encodeNil() throws {
        let context = context
        try element { context.writeNull() }
    }

    mutating func encode(_ value: Bool) throws {
        let context = context
        try element { context.write(value) }
    }
    mutating func encode(_ value: String) throws {
        let context = context
        try element { context.write(string: value) }
    }
    mutating func encode(_ value: Double) throws {
        let context = context
        try element { try context.write(floating: value) }
    }
    mutating func encode(_ value: Float) throws {
        let context = context
        try element { try context.write(floating: value) }
    }
    mutating func encode(_ value: Int) throws {
        let context = context
        try element { NumberWriter.write(value, to: context.output) }
    }
    mutating func encode(_ value: Int8) throws {
        let context = context
        try element { NumberWriter.write(value, to: context.output) }
    }
    mutating func encode(_ value: Int16) throws {
        let context = context
        try element { NumberWriter.write(value, to: context.output) }
    }
    mutating func encode(_ value: Int32) throws {
        let context = context
        try element { NumberWriter.write(value, to: context.output) }
    }
    mutating func encode(_ value: Int64) throws {
        let context = context
        try element { NumberWriter.write(value, to: context.output) }
    }
    mutating func encode(_ value: UInt) throws {
        let context = context
        try element { NumberWriter.write(value, to: context.output) }
    }
    mutating func encode(_ value: UInt8) throws {
        let context = context
        try element { NumberWriter.write(value, to: context.output) }
    }
    mutating func encode(_ value: UInt16) throws {
        let context = context
        try element { NumberWriter.write(value, to: context.output) }
    }
    mutating func encode(_ value: UInt32) throws {
        let context = context
        try element { NumberWriter.write(value, to: context.output) }
    }
    mutating func encode(_ value: UInt64) throws {
        let context = context
        try element { NumberWriter.write(value, to: context.output) }
    }
    mutating func encode<T: Encodable>(_ value: T) throws {
        let context = context
        try element { try context.write(value) }
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension ArrayEncodingContainer {
    mutating func encode(_ value: Int128) throws {
        let context = context
        try element { NumberWriter.write(value, to: context.output) }
    }
    mutating func encode(_ value: UInt128) throws {
        let context = context
        try element { NumberWriter.write(value, to: context.output) }
    }
}
