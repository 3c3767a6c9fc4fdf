/// An open container of an encoding.
struct EncodingLevel {
    /// Identifies an open container; invalid once it is closed.
    struct Handle {
        let depth: Int
        let serial: Int

        /// The handle of no container.
        static let closed = Handle(depth: -2, serial: -1)
    }

    /// The position of a member in the text: its key with quotes, up to the next member's mark.
    struct Mark {
        var start: Int
        let keyLength: Int
        /// Whether the key was repeated.
        var isReplaced = false

        /// The key with its quotes.
        var key: Range<Int> { start..<(start + keyLength) }
        /// The range between the quotes; empty before the first member.
        var content: Range<Int> { keyLength < 2 ? 0..<0 : (start + 1)..<(start + keyLength - 1) }
    }

    let isObject: Bool
    let serial: Int
    /// The number of values being encoded when it was opened: while there are more, one of its members is being
    /// written.
    let frames: Int
    /// The first mark of this object.
    let firstMark: Int
    /// The number of members or elements started.
    var count = 0
    /// The number of members that will be left out because their key was repeated.
    var replacements = 0
    /// The member being written.
    var current = Mark(start: 0, keyLength: 0)
    /// The key of that member before conversion; nil if keys are not converted.
    var key: String?
    /// The signatures of the written keys: a key without its signature here is new.
    var seen = KeySignatures()
    /// The step of the member or element with the number `stepCount`.
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
