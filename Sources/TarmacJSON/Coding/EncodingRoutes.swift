/// How a type is written: by itself, or directly by this module; kept for the types of one encoding.
struct EncodingRoutes {
    enum Route {
        case plain
        case direct(any DirectlyEncodable.Type)
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
        let route = (type as? any DirectlyEncodable.Type).map(Route.direct) ?? .plain
        types[slot] = identifier
        routes[slot] = route
        return route
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
