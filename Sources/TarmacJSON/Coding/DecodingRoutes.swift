/// How a type is read: by itself, or directly by this module. Asking the runtime takes longer than reading
/// a small value, so the answer is kept for the types of one decoding.
struct DecodingRoutes {
    enum Route {
        case plain
        case direct(any DirectlyDecodable.Type)
    }

    private static let slots = 16
    private var types: [ObjectIdentifier?] = Array(repeating: nil, count: slots)
    private var routes: [Route] = Array(repeating: .plain, count: slots)

    @inline(__always)
    mutating func route<T>(for type: T.Type) -> Route {
        let identifier = ObjectIdentifier(type)
        let slot = (UInt(bitPattern: identifier) >> 4 ^ UInt(bitPattern: identifier) >> 8) & UInt(Self.slots - 1)
        if types[Int(slot)] == identifier { return routes[Int(slot)] }
        return find(type, identifier, slot: Int(slot))
    }

    private mutating func find<T>(_ type: T.Type, _ identifier: ObjectIdentifier, slot: Int) -> Route {
        let route = (type as? any DirectlyDecodable.Type).map(Route.direct) ?? .plain
        types[slot] = identifier
        routes[slot] = route
        return route
    }
}

/// A type this module reads without asking it for `init(from:)`.
protocol DirectlyDecodable {
    /// Puts one value at `place`, which is uninitialized memory for it; on a throw it stays so.
    static func decode(from context: DecodingContext, at index: Int, into place: UnsafeMutableRawPointer) throws
}

extension DirectlyDecodable {
    /// For conformances: puts `value` there.
    static func put(_ value: Self, _ place: UnsafeMutableRawPointer) {
        place.initializeMemory(as: Self.self, to: value)
    }
}
