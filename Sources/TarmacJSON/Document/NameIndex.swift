/// The members of an object by name, the first of equal names: a hash table of places with open addressing.
///
/// Its memory is 6 to 12 bytes for each member. Names come from outside, so they are hashed with the random seed of
/// Swift's `Hasher`; with the seed unknown, no document can be made whose names collide.
final class NameIndex: Sendable {
    /// The number of members, repeated names included.
    let count: Int
    /// The places of the keys; 0, which is never a key, is a free slot. The places of a tape fit 30 bits.
    private let slots: Table<UInt32>
    private let mask: Int

    init(of object: Int, _ tape: Tape) {
        count = tape.childCount(of: object)
        let capacity = Self.capacity(for: count)
        let slots = Table<UInt32>(repeating: 0, count: capacity)
        mask = capacity - 1
        let end = tape.end(of: object)
        var member = object + 1
        while member < end {
            Self.insert(member, slots, mask, tape)
            member = tape.next(after: member &+ 1)
        }
        self.slots = slots
    }

    var byteCount: Int { slots.count * MemoryLayout<UInt32>.stride }

    /// Returns the value of the first member with the key `key`.
    func find(_ key: Span<UInt8>, _ tape: Tape) -> Lookup {
        var slot = key.seededHash & mask
        var steps = 1
        while case let member = Int(slots[slot]), member != 0 {
            if tape.isKey(member, equalTo: key) { return Lookup(place: member + 1, steps: steps) }
            slot = (slot &+ 1) & mask
            steps &+= 1
        }
        return Lookup(place: nil, steps: steps)
    }

    /// At most two thirds of the slots are used, so that a search ends after few of them.
    private static func capacity(for count: Int) -> Int {
        let wanted = count + count / 2 + 1
        return 1 << (Int.bitWidth - wanted.leadingZeroBitCount)
    }

    private static func insert(_ member: Int, _ slots: borrowing Table<UInt32>, _ mask: Int, _ tape: Tape) {
        let word = tape[member]
        if word.kind == .escapedString {
            tape.string(at: member).withText { insert(member, $0, slots, mask, tape) }
        } else {
            tape.withText(of: word) { insert(member, $0, slots, mask, tape) }
        }
    }

    private static func insert(
        _ member: Int, _ key: Span<UInt8>, _ slots: borrowing Table<UInt32>, _ mask: Int, _ tape: Tape
    ) {
        var slot = key.seededHash & mask
        while case let present = Int(slots[slot]), present != 0 {
            if tape.isKey(present, equalTo: key) { return }
            slot = (slot &+ 1) & mask
        }
        slots[slot] = UInt32(truncatingIfNeeded: member)
    }
}
