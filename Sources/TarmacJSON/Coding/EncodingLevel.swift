/// An open container of an encoding.
struct EncodingLevel {
    /// Names an open container; stale once it is closed.
    struct Handle {
        let depth: Int
        let serial: Int

        /// Of no container.
        static let closed = Handle(depth: -2, serial: -1)
    }

    /// Where a member stands in the text: its key with quotes, up to the next member's mark.
    struct Mark {
        var start: Int
        let keyLength: Int
        /// Whether its key came again.
        var isReplaced = false

        /// The key with its quotes.
        var key: Range<Int> { start..<(start + keyLength) }
        /// What stands between the quotes; nothing before the first member.
        var content: Range<Int> { keyLength < 2 ? 0..<0 : (start + 1)..<(start + keyLength - 1) }
    }

    let isObject: Bool
    let serial: Int
    /// The values being encoded when it was opened: while there are more, one of its members is being written.
    let frames: Int
    /// The first of this object's marks.
    let firstMark: Int
    /// Members or elements begun.
    var count = 0
    /// Members that will be left out because their key came again.
    var replacements = 0
    /// The member being written.
    var current = Mark(start: 0, keyLength: 0)
    /// Its key before conversion; nil if keys are not converted.
    var key: String?
    /// Signatures of the keys written: one that is not among them is new.
    var seen = KeySignatures()
    /// The step of the member or element that was the `stepCount`th.
    var step: EncodingStep?
    var stepCount = -1

    /// Whether `step` is that of the member or element being written.
    var knowsStep: Bool { stepCount == count && count > 0 }

    init(isObject: Bool, serial: Int, frames: Int, firstMark: Int) {
        self.isObject = isObject
        self.serial = serial
        self.frames = frames
        self.firstMark = firstMark
    }
}
