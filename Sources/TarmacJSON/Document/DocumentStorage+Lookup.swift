/// Look-ups of single values. A small container is walked through. A large one gets an index, which the document keeps:
/// of places at the first look-up beyond its 32nd element, of names when look-ups walked past as many members as it has.
extension DocumentStorage {
    /// Returns the element at `position` of the array at `array`; nil beyond its end.
    func element(_ position: Int, of array: Int) -> Int? { find(position, of: array).place }

    /// Returns the value of the first member with the key `key`, as Foundation's `JSONDecoder` does.
    func value(forKey key: String, of object: Int) -> Int? { key.withText { find($0, of: object).place } }

    /// Returns the number of elements or members of a container. That of a large one is counted once.
    func childCount(of container: Int) -> Int {
        guard tape[container].extent > Lookups.walkedMembers else { return tape.childCount(of: container) }
        if let count = withLookups({ $0.count(of: container) }) { return count }
        let count = tape.childCount(of: container)
        withLookups { $0.keep(count: count, of: container) }
        return count
    }

    // MARK: Places

    func find(_ position: Int, of array: Int) -> Lookup {
        // The array takes a word, and every element one at least.
        guard position >= 0, position < tape[array].extent - 1 else { return Lookup(place: nil, steps: 0) }
        guard position >= Lookups.walkedChildren else {
            return Lookup(place: tape.element(position, of: array), steps: position)
        }
        var index = withLookups { $0.places(of: array) } ?? PlaceIndex(of: array, tape)
        let extended = position < index.count || index.isComplete ? 0 : extend(&index, to: position, of: array)
        guard position < index.count else { return Lookup(place: nil, steps: extended) }
        let found = index.find(position, tape)
        return Lookup(place: found.place, steps: found.steps + extended)
    }

    /// Covers twice the wanted position, so that look-ups one after the other extend the index seldom, and one look-up
    /// near the start of a long array does not walk to its end.
    private func extend(_ index: inout PlaceIndex, to position: Int, of array: Int) -> Int {
        let steps = index.extend(to: 2 * position, tape)
        withLookups { [index] in $0.keep(index, of: array, limit: lookupLimit) }
        return steps
    }

    // MARK: Names

    func find(_ key: Span<UInt8>, of object: Int) -> Lookup {
        // Every member takes two words at least.
        let members = tape[object].extent / 2
        let isSmall = members <= Lookups.walkedChildren
        var walk = MemberWalk(of: object, tape)
        if let value = walk.find(key, tape, limit: isSmall ? .max : Self.firstMembers) { return Lookup(place: value, steps: walk.steps) }
        guard !walk.isAtEnd else { return Lookup(place: nil, steps: walk.steps) }
        switch withLookups({ $0.search(of: object, members: members) }) {
        case .inIndex(let index): return found(key, in: index, after: walk.steps)
        case .byWalking(let limit):
            let value = walk.find(key, tape, limit: max(limit, Lookups.walkedChildren))
            guard value == nil, !walk.isAtEnd else {
                if walk.steps > Lookups.walkedChildren { withLookups { [walk] in $0.noteWalk(of: object, past: walk.steps) } }
                return Lookup(place: value, steps: walk.steps)
            }
            let index = names(of: object).index
            return found(key, in: index, after: walk.steps + index.count)
        }
    }

    /// The members with which a key is compared before the document is asked for an index.
    private static let firstMembers = 8

    private func found(_ key: Span<UInt8>, in index: NameIndex, after steps: Int) -> Lookup {
        let found = index.find(key, tape)
        return Lookup(place: found.place, steps: found.steps + steps)
    }

    /// Returns the index of an object, which is made if there is none yet, and whether the document keeps it.
    func names(of object: Int) -> (index: NameIndex, isKept: Bool) {
        if let index = withLookups({ $0.names(of: object) }) { return (index, true) }
        let index = NameIndex(of: object, tape)
        return withLookups { ($0.keep(index, of: object, limit: lookupLimit), $0.names(of: object) != nil) }
    }

    /// The memory in bytes that look-up indexes may take. Beyond it, none is kept.
    private var lookupLimit: Int { options.indexLimit - tapeByteCount }
}

/// A walk through the members of an object that compares their keys.
private struct MemberWalk {
    private(set) var steps = 0
    private var member: Int
    private let end: Int

    init(of object: Int, _ tape: Tape) {
        member = object + 1
        end = tape.end(of: object)
    }

    var isAtEnd: Bool { member >= end }

    /// Returns the value of the first member with `key`; nil if none of the next `limit` members has it.
    @inline(__always)
    mutating func find(_ key: Span<UInt8>, _ tape: Tape, limit: Int) -> Int? {
        let last = limit == .max ? .max : steps + limit
        while member < end, steps < last {
            steps &+= 1
            if tape.isKey(member, equalTo: key) { return member + 1 }
            member = tape.next(after: member &+ 1)
        }
        return nil
    }
}
