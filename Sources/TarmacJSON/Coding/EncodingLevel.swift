/// An open container of an encoding.
struct EncodingLevel {
    /// Names an open container; stale once it is closed.
    struct Handle {
        let depth: Int
        let serial: Int
    }

    /// Where a member stands in the text: its key with quotes, up to the next member's mark.
    struct Mark {
        var start: Int
        let keyLength: Int
    }

    let isObject: Bool
    let serial: Int
    /// The first of this object's marks.
    let firstMark: Int
    /// Members or elements begun.
    var count = 0
    /// The member being written.
    var current = Mark(start: 0, keyLength: 0)
    /// Its key before conversion; nil if keys are not converted.
    var key: String?
    /// Signatures of the keys written: one that is not among them is new.
    var seen = KeySignatures()

    init(isObject: Bool, serial: Int, firstMark: Int) {
        self.isObject = isObject
        self.serial = serial
        self.firstMark = firstMark
    }
}
