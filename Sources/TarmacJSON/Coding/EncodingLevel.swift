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
    /// The key of the member being written, before conversion.
    var key = ""
    /// One bit a key, chosen by its text: a clear bit proves a key new.
    var seen: UInt64 = 0
    /// All keys, once there are too many to compare one by one.
    var names: Set<String>?

    init(isObject: Bool, serial: Int, firstMark: Int) {
        self.isObject = isObject
        self.serial = serial
        self.firstMark = firstMark
    }
}
