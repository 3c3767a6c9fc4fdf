extension Array: DirectlyDecodable where Element: Decodable {
    static func decode(from context: DecodingContext, at index: Int, into place: UnsafeMutableRawPointer) throws {
        let tape = context.tape
        guard tape[index].kind == .array else { throw context.mismatch(at: index, [Any].self) }
        var elements: [Element] = []
        elements.reserveCapacity(tape.childCount(of: index))
        let end = tape.end(of: index)
        var child = index + 1
        while child < end {
            elements.append(try context.value(at: child, as: Element.self))
            child = tape.next(after: child)
        }
        put(elements, place)
    }
}

extension Optional: DirectlyDecodable where Wrapped: Decodable {
    static func decode(from context: DecodingContext, at index: Int, into place: UnsafeMutableRawPointer) throws {
        put(context.isNull(index) ? nil : try context.value(at: index, as: Wrapped.self), place)
    }
}

/// The keys of such a dictionary are data: no key strategy applies, as in Foundation.
extension Dictionary: DirectlyDecodable where Key == String, Value: Decodable {
    static func decode(from context: DecodingContext, at index: Int, into place: UnsafeMutableRawPointer) throws {
        let tape = context.tape
        guard tape[index].kind == .object else { throw context.mismatch(at: index, [String: Any].self) }
        var members: [String: Value] = [:]
        let end = tape.end(of: index)
        var key = index + 1
        while key < end {
            let name = tape.string(at: key)
            // The first of equal keys counts, and the others must not even fit.
            if members[name] == nil { members[name] = try context.value(at: key + 1, as: Value.self) }
            key = tape.next(after: key + 1)
        }
        put(members, place)
    }
}

extension JSON: DirectlyDecodable {
    static func decode(from context: DecodingContext, at index: Int, into place: UnsafeMutableRawPointer) throws {
        put(context.json(at: index), place)
    }
}
