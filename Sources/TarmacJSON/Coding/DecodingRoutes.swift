/// The way in which each type is decoded: by itself, or directly by this module. The runtime's answer takes longer than
/// decoding a small value, so it is kept for the types of one decoding.
struct DecodingRoutes: ~Copyable {
    // Not private: the compiler (6.3) cannot destroy a table of elements it may not name.
    struct Slot {
        var type: ObjectIdentifier?
        var route: (any DirectlyDecodable.Type)?
    }

    private static let count = 32
    private let slots = Table(repeating: Slot(), count: Self.count)

    /// Returns `type` if this module decodes it directly; nil if it decodes itself.
    @inline(__always)
    func route<T>(for type: T.Type) -> (any DirectlyDecodable.Type)? {
        let identifier = ObjectIdentifier(type)
        // The golden ratio spreads addresses, which differ in their middle bits.
        let mixed = UInt64(UInt(bitPattern: identifier)) &* 0x9E37_79B9_7F4A_7C15
        let number = Int(truncatingIfNeeded: mixed >> 59)
        return slots[number].type == identifier ? slots[number].route : find(type, number)
    }

    @inline(never)
    private func find<T>(_ type: T.Type, _ number: Int) -> (any DirectlyDecodable.Type)? {
        slots[number] = Slot(type: ObjectIdentifier(type), route: type as? any DirectlyDecodable.Type)
        return slots[number].route
    }
}

/// A type that this module decodes without calling its `init(from:)`.
protocol DirectlyDecodable {
    static func decode(from context: DecodingContext, at index: Int) throws -> Self
}
