/// An array being encoded, straight into the text.
struct ArrayEncodingContainer: UnkeyedEncodingContainer {
    let context: EncodingContext
    let handle: EncodingLevel.Handle
    private(set) var count = 0

    init(context: EncodingContext, handle: EncodingLevel.Handle) {
        self.context = context
        self.handle = handle
        if context.isWritable(handle) { count = context.levels[handle.depth].count }
    }

    var codingPath: [any CodingKey] { context.codingPath(handle.depth) }

    @inline(__always)
    private mutating func element(_ body: () throws -> Void) throws {
        try context.element(of: handle, body)
        count += 1
    }

    // MARK: Nesting

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        let child = child()
        return KeyedEncodingContainer(
            ObjectEncodingContainer<Nested>(context: child, handle: child.open(isObject: true)))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let child = child()
        return ArrayEncodingContainer(context: child, handle: child.open(isObject: false))
    }

    mutating func superEncoder() -> any Encoder {
        ValueEncoder(context: child(), depth: 0, start: 0)
    }

    private mutating func child() -> EncodingContext {
        let context = context
        var child: EncodingContext?
        do {
            try element { child = context.child() }
        } catch {
            if let error = error as? EncodingError { context.note(error) }
        }
        return child ?? EncodingContext(settings: context.settings)
    }

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
