/// An array being decoded.
struct UnkeyedTapeContainer: UnkeyedDecodingContainer {
    let context: DecodingContext
    private let index: Int
    private var cursor: Int
    private(set) var currentIndex = 0

    init(context: DecodingContext, index: Int) {
        self.context = context
        self.index = index
        cursor = index + 1
    }

    var codingPath: [any CodingKey] { context.codingPath(to: index) }

    var count: Int? { context.count(of: index) }

    var isAtEnd: Bool { cursor >= context.tape.end(of: index) }

    /// Decodes the next element and advances, unless `body` throws.
    @inline(__always)
    private mutating func next<T>(_ type: T.Type, _ body: (Int) throws -> T) throws -> T {
        guard !isAtEnd else { throw context.atEnd(of: index, position: currentIndex, type) }
        let value = try body(cursor)
        cursor = context.tape.next(after: cursor)
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw context.atEnd(of: index, position: currentIndex, Any?.self) }
        guard context.isNull(cursor) else { return false }
        return try next(Bool.self) { _ in true }
    }

    // MARK: Nesting

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let context = context
        return try next(KeyedDecodingContainer<Nested>.self) {
            try context.decoder(at: $0).container(keyedBy: type)
        }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let context = context
        return try next((any UnkeyedDecodingContainer).self) {
            try context.decoder(at: $0).unkeyedContainer()
        }
    }

    mutating func superDecoder() throws -> any Decoder {
        let context = context
        return try next((any Decoder).self) { try context.decoder(at: $0) }
    }

    // MARK: Values

    mutating func decode(_ type: Bool.Type) throws -> Bool {
        let context = context
        return try next(type) { try context.bool(at: $0) }
    }
    mutating func decode(_ type: String.Type) throws -> String {
        let context = context
        return try next(type) { try context.string(at: $0) }
    }
    mutating func decode(_ type: Double.Type) throws -> Double {
        let context = context
        return try next(type) { try context.double(at: $0) }
    }
    mutating func decode(_ type: Float.Type) throws -> Float {
        let context = context
        return try next(type) { try context.float(at: $0) }
    }
    mutating func decode(_ type: Int.Type) throws -> Int {
        let context = context
        return try next(type) { try context.integer(at: $0, as: type) }
    }
    mutating func decode(_ type: Int8.Type) throws -> Int8 {
        let context = context
        return try next(type) { try context.integer(at: $0, as: type) }
    }
    mutating func decode(_ type: Int16.Type) throws -> Int16 {
        let context = context
        return try next(type) { try context.integer(at: $0, as: type) }
    }
    mutating func decode(_ type: Int32.Type) throws -> Int32 {
        let context = context
        return try next(type) { try context.integer(at: $0, as: type) }
    }
    mutating func decode(_ type: Int64.Type) throws -> Int64 {
        let context = context
        return try next(type) { try context.integer(at: $0, as: type) }
    }
    mutating func decode(_ type: UInt.Type) throws -> UInt {
        let context = context
        return try next(type) { try context.integer(at: $0, as: type) }
    }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
        let context = context
        return try next(type) { try context.integer(at: $0, as: type) }
    }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
        let context = context
        return try next(type) { try context.integer(at: $0, as: type) }
    }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
        let context = context
        return try next(type) { try context.integer(at: $0, as: type) }
    }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
        let context = context
        return try next(type) { try context.integer(at: $0, as: type) }
    }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let context = context
        return try next(type) { try context.value(at: $0, as: type) }
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UnkeyedTapeContainer {
    mutating func decode(_ type: Int128.Type) throws -> Int128 {
        let context = context
        return try next(type) { try context.integer(at: $0, as: type) }
    }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
        let context = context
        return try next(type) { try context.integer(at: $0, as: type) }
    }
}
