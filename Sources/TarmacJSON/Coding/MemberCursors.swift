/// Remembers the members of the objects being decoded as far as they were read, because types ask for
/// members mostly in the order they are written in, and for each once.
///
/// The first of equal keys must be found whatever the order asked in. So a slot knows, for every
/// signature, the first member before its cursor that has it: if that one's key differs, or no member
/// has the signature, the answer is certain without looking at the others. Slots are shared by objects;
/// losing one only costs reading the object again.
///
/// SAFETY: `slots` holds `count` initialized slots, and `places` room for as many tables, from `init` to
/// `free`, which the context calls last. A place is read only if its signature was inserted.
struct MemberCursors {
    struct Slot {
        var object = -1
        /// The first member not read yet.
        var cursor = 0
        /// Signatures of the keys before `cursor`.
        var before = KeySignatures()
        /// Whether one of them is written with escapes, so that signatures prove nothing.
        var hasEscapes = false
        /// For each signature in `before`, the first member that has it.
        let places: UnsafeMutablePointer<UInt32>
    }

    private static let count = 16
    private let slots: UnsafeMutablePointer<Slot>
    private let places: UnsafeMutablePointer<UInt32>

    init() {
        places = .allocate(capacity: Self.count * KeySignatures.count)
        slots = .allocate(capacity: Self.count)
        for index in 0..<Self.count {
            (slots + index).initialize(to: Slot(places: places + index * KeySignatures.count))
        }
    }

    func free() {
        slots.deallocate()
        places.deallocate()
    }

    /// The slot of `object`, begun anew if another object had it.
    @inline(__always)
    func slot(_ object: Int) -> UnsafeMutablePointer<Slot> {
        let slot = slots + ((object ^ object >> 4) & (Self.count &- 1))
        if slot.pointee.object != object {
            slot.pointee.object = object
            slot.pointee.cursor = object + 1
            slot.pointee.before = KeySignatures()
            slot.pointee.hasEscapes = false
        }
        return slot
    }
}

extension MemberCursors.Slot {
    /// Notes the member at `cursor` and moves over it.
    @inline(__always)
    mutating func pass(_ tape: Tape) {
        let word = tape[cursor]
        if word.kind == .escapedString {
            hasEscapes = true
        } else {
            let signature = KeySignatures.signature(tape.bytes + word.offset, word.extent)
            if !before.mayHold(signature) {
                before.insert(signature)
                places[Int(signature)] = UInt32(truncatingIfNeeded: cursor)
            }
        }
        cursor = tape.next(after: cursor &+ 1)
    }
}

/// A set of keys that never denies one it holds: a 128-bit Bloom filter with one bit a key.
struct KeySignatures {
    static let count = 128

    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// From length, first, middle and last byte.
    @inline(__always)
    static func signature(_ start: UnsafePointer<UInt8>, _ count: Int) -> UInt8 {
        guard count > 0 else { return 0 }
        let edges = UInt32(start[0]) &* 31 &+ UInt32(start[count &- 1]) &* 7 &+ UInt32(start[count >> 1]) &* 13
        return UInt8(truncatingIfNeeded: (edges &+ UInt32(truncatingIfNeeded: count) &* 67) & 127)
    }

    @inline(__always)
    func mayHold(_ signature: UInt8) -> Bool {
        let half = signature < 64 ? low : high
        return half & (1 << UInt64(signature & 63)) != 0
    }

    @inline(__always)
    mutating func insert(_ signature: UInt8) {
        if signature < 64 { low |= 1 << UInt64(signature & 63) } else { high |= 1 << UInt64(signature & 63) }
    }
}
