/// How a type is read: by itself, or directly by this module. Asking the runtime takes longer than reading
/// a small value, so the answer is kept for the types of one decoding.
///
/// SAFETY: `slots` holds `count` initialized slots from `init` to `free`, which the context calls last.
struct DecodingRoutes {
    private struct Slot {
        var type: ObjectIdentifier?
        var route: (any DirectlyDecodable.Type)?
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
    func route<T>(for type: T.Type) -> (any DirectlyDecodable.Type)? {
        let identifier = ObjectIdentifier(type)
        // The golden ratio spreads addresses, which differ in their middle bits.
        let mixed = UInt64(UInt(bitPattern: identifier)) &* 0x9E37_79B9_7F4A_7C15
        let slot = slots + Int(truncatingIfNeeded: mixed >> 59)
        return slot.pointee.type == identifier ? slot.pointee.route : find(type, slot)
    }

    @inline(never)
    private func find<T>(_ type: T.Type, _ slot: UnsafeMutablePointer<Slot>) -> (any DirectlyDecodable.Type)? {
        slot.pointee = Slot(type: ObjectIdentifier(type), route: type as? any DirectlyDecodable.Type)
        return slot.pointee.route
    }
}

/// A type this module reads without asking it for `init(from:)`.
protocol DirectlyDecodable {
    static func decode(from context: DecodingContext, at index: Int) throws -> Self
}
