extension Array: DirectlyDecodable where Element: Decodable {
    static func decode(from context: DecodingContext, at index: Int) throws -> Self {
        let tape = context.tape
        guard tape[index].kind == .array else { throw context.mismatch(at: index, [Any].self) }
        if Element.self == String.self {
            return same(try context.elements(of: index, context.string(at:)))
        }
        if Element.self == Double.self {
            return same(try context.elements(of: index, context.double(at:)))
        }
        if Element.self == Int.self {
            return same(try context.elements(of: index) { try context.integer(at: $0, as: Int.self) })
        }
        var elements: [Element] = []
        elements.reserveCapacity(tape.childCount(of: index))
        let end = tape.end(of: index)
        var child = index + 1
        while child < end {
            elements.append(try context.value(at: child, as: Element.self))
            child = tape.next(after: child)
        }
        return elements
    }
}

extension DecodingContext {
    /// Returns the elements of the array at `index`, each decoded by `read`.
    @inline(__always)
    fileprivate func elements<Element>(of index: Int, _ read: (Int) throws -> Element) throws -> [Element] {
        let end = tape.end(of: index)
        var elements: [Element] = []
        var child = index + 1
        while child < end {
            let stop = child + Self.room(after: elements.count, of: end - child)
            elements.reserveCapacity(elements.count + stop - child)
            while child < stop {
                elements.append(try read(child))
                child = tape.next(after: child)
            }
        }
        return elements
    }

    /// Returns the number of elements to reserve capacity for. A scalar takes one of the remaining words, but a
    /// container, which will be an error, may take all of them. The result is therefore at most seven times the number
    /// of elements read.
    static func room(after count: Int, of words: Int) -> Int { min(words, max(16_384, 7 * count)) }
}

extension Optional: DirectlyDecodable where Wrapped: Decodable {
    static func decode(from context: DecodingContext, at index: Int) throws -> Self {
        context.isNull(index) ? nil : try context.value(at: index, as: Wrapped.self)
    }
}

/// The keys of such a dictionary are data: no key strategy applies, as in Foundation.
extension Dictionary: DirectlyDecodable where Key == String, Value: Decodable {
    static func decode(from context: DecodingContext, at index: Int) throws -> Self {
        let tape = context.tape
        guard tape[index].kind == .object else { throw context.mismatch(at: index, [String: Any].self) }
        var members: [String: Value] = [:]
        let end = tape.end(of: index)
        var key = index + 1
        while key < end {
            let name = tape.string(at: key)
            // The first of equal keys counts; the others are not even decoded.
            if members[name] == nil { members[name] = try context.value(at: key + 1, as: Value.self) }
            key = tape.next(after: key + 1)
        }
        return members
    }
}

extension JSON: DirectlyDecodable {
    static func decode(from context: DecodingContext, at index: Int) throws -> Self {
        context.json(at: index)
    }
}
