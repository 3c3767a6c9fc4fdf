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
