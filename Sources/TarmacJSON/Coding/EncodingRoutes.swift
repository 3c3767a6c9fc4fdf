/// How a type is written: by itself, or directly by this module; kept for the types of one encoding.
///
/// SAFETY: `slots` holds `count` initialized slots from `init` to `free`, which the context calls last.
struct EncodingRoutes {
    private struct Slot {
        var type: ObjectIdentifier?
        var route: (any DirectlyEncodable.Type)?
    }

    private static let count = 32
    private let slots: UnsafeMutablePointer<Slot>

    init() {
        slots = .allocate(capacity: Self.count)
        slots.initialize(repeating: Slot(), count: Self.count)
    }

    func free() {
        slots.deallocate()
    }

    /// `type` as what this module handles directly; nil if it does so itself.
    @inline(__always)
    func route<T>(for type: T.Type) -> (any DirectlyEncodable.Type)? {
        let identifier = ObjectIdentifier(type)
        // The golden ratio spreads addresses, which differ in their middle bits.
        let mixed = UInt64(UInt(bitPattern: identifier)) &* 0x9E37_79B9_7F4A_7C15
        let slot = slots + Int(truncatingIfNeeded: mixed >> 59)
        return slot.pointee.type == identifier ? slot.pointee.route : find(type, slot)
    }

    @inline(never)
    private func find<T>(_ type: T.Type, _ slot: UnsafeMutablePointer<Slot>) -> (any DirectlyEncodable.Type)? {
        slot.pointee = Slot(type: ObjectIdentifier(type), route: type as? any DirectlyEncodable.Type)
        return slot.pointee.route
    }
}

/// A type this module writes without asking it for `encode(to:)`.
protocol DirectlyEncodable {
    /// Writes the value at `place`, which holds one of this type.
    static func encode(_ place: UnsafeRawPointer, to context: EncodingContext) throws
}

extension DirectlyEncodable {
    /// For conformances: the value there.
    static func value(_ place: UnsafeRawPointer) -> Self {
        place.assumingMemoryBound(to: Self.self).pointee
    }
}
