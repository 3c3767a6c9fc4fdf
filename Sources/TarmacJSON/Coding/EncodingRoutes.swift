/// The way in which each type is encoded: by itself, or directly by this module; kept for the types of one encoding.
final class EncodingRoutes {
    // Not private: the compiler (6.3) cannot destroy a table of elements it may not name.
    struct Slot {
        var type: ObjectIdentifier?
        var route: (any DirectlyEncodable.Type)?
    }

    private let slots = Table(repeating: Slot(), count: 32)

    /// Returns `type` if this module encodes it directly; nil if it encodes itself.
    @inline(__always)
    func route<T>(for type: T.Type) -> (any DirectlyEncodable.Type)? {
        let identifier = ObjectIdentifier(type)
        // The golden ratio spreads addresses, which differ in their middle bits.
        let mixed = UInt64(UInt(bitPattern: identifier)) &* 0x9E37_79B9_7F4A_7C15
        let number = Int(truncatingIfNeeded: mixed >> 59)
        return slots[number].type == identifier ? slots[number].route : find(type, number)
    }

    @inline(never)
    private func find<T>(_ type: T.Type, _ number: Int) -> (any DirectlyEncodable.Type)? {
        slots[number] = Slot(type: ObjectIdentifier(type), route: type as? any DirectlyEncodable.Type)
        return slots[number].route
    }
}

/// A type that this module encodes without calling its `encode(to:)`.
protocol DirectlyEncodable {
    func write(to context: EncodingContext) throws
}
