/// Remembers the members read so far of the objects being decoded, because types mostly ask for members in the order of
/// the text, and for each once.
///
/// The first of equal keys must be found in any order of requests. A slot therefore knows, for each signature, the
/// first member before its cursor that has it. If that member's key differs, or no member has the signature, the result
/// is certain without the others. Objects share slots; losing one only means that the object is read again.
struct MemberCursors: ~Copyable {
    struct Slot {
        var object = -1
        /// The first unread member.
        var cursor = 0
        /// The signatures of the keys before `cursor`.
        var before = KeySignatures()
        /// Whether one of these keys has escapes, so that signatures prove nothing.
        var hasEscapes = false
        /// Whether the object is so large that an index of it was requested.
        var isWide = false
    }

    private static let count = 16
    let slots = Table(repeating: Slot(), count: Self.count)
    /// For each slot and each signature in its `before`, the first member with it.
    private let places = Table(repeating: UInt32(0), count: Self.count * KeySignatures.count)

    /// Returns the number of the slot of `object`, which is reset if another object used it.
    @inline(__always)
    func slot(_ object: Int) -> Int {
        let number = (object ^ object >> 4) & (Self.count &- 1)
        if slots[number].object != object {
            slots[number] = Slot(object: object, cursor: object + 1)
        }
        return number
    }

    /// Returns the first passed member with a signature.
    @inline(__always)
    func place(_ signature: UInt8, in number: Int) -> Int {
        Int(places[number &* KeySignatures.count &+ Int(signature)])
    }

    /// Notes the member at the cursor and advances.
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
