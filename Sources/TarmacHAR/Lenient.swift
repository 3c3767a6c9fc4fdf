/// A value of a file that is `nil` if it is missing or of another type.
@propertyWrapper
struct Lenient<Value: Codable & Sendable>: Codable, Sendable {
    var wrappedValue: Value?

    init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    init(from decoder: any Decoder) throws { wrappedValue = try? decoder.singleValueContainer().decode(Value.self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

// The compiler's conformances call these in place of those of the library.
extension KeyedDecodingContainer {
    func decode<Value>(_ type: Lenient<Value>.Type, forKey key: Key) throws -> Lenient<Value> {
        (try? decodeIfPresent(type, forKey: key)) ?? Lenient(wrappedValue: nil)
    }
}

extension KeyedEncodingContainer {
    mutating func encode<Value>(_ value: Lenient<Value>, forKey key: Key) throws { try encodeIfPresent(value.wrappedValue, forKey: key) }
}
