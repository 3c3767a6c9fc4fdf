/// Remembers the members of the objects being decoded as far as they were read, because types ask for
/// members mostly in the order they are written in, and for each once.
///
/// The first of equal keys must be found whatever the order asked in. So a slot knows, for every
/// signature, the first member before its cursor that has it: if that one's key differs, or no member
/// has the signature, the answer is certain without looking at the others. Slots are shared by objects;
/// losing one only costs reading the object again.
struct MemberCursors: ~Copyable {
    struct Slot {
        var object = -1
        /// The first member not read yet.
        var cursor = 0
        /// Signatures of the keys before `cursor`.
        var before = KeySignatures()
        /// Whether one of them is written with escapes, so that signatures prove nothing.
        var hasEscapes = false
    }

    private static let count = 16
    let slots = Table(repeating: Slot(), count: Self.count)
    /// For each slot and each signature in its `before`, the first member that has it.
    private let places = Table(repeating: UInt32(0), count: Self.count * KeySignatures.count)

    /// The number of the slot of `object`, begun anew if another object had it.
    @inline(__always)
    func slot(_ object: Int) -> Int {
        let number = (object ^ object >> 4) & (Self.count &- 1)
        if slots[number].object != object {
            slots[number] = Slot(object: object, cursor: object + 1)
        }
        return number
    }

    /// The first member of `signature` that was passed.
    @inline(__always)
    func place(_ signature: UInt8, in number: Int) -> Int {
        Int(places[number &* KeySignatures.count &+ Int(signature)])
    }

    /// Notes the member at the cursor and moves over it.
    @inline(__always)
    func pass(_ number: Int, _ tape: Tape) {
        let member = slots[number].cursor
        let word = tape[member]
        if word.kind == .escapedString {
            slots[number].hasEscapes = true
        } else {
            let signature = tape.withText(of: word) { KeySignatures.signature($0) }
            if !slots[number].before.mayHold(signature) {
                slots[number].before.insert(signature)
                places[number &* KeySignatures.count &+ Int(signature)] = UInt32(truncatingIfNeeded: member)
            }
        }
        slots[number].cursor = tape.next(after: member &+ 1)
    }
}
