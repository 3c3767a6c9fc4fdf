/// Finds the members of one object, quickly if they are requested in their order in the text.
///
/// The first of equal keys is found in any order; see ``MemberCursors``, which does the same for types that read
/// several objects at once.
struct MemberReader {
    private let storage: DocumentStorage
    private let tape: Tape
    private let object: Int
    private let end: Int
    private var cursor: Int
    /// The signatures of the keys before `cursor`.
    private var before = KeySignatures()

    @inline(__always)
    init(_ storage: DocumentStorage, _ object: Int) {
        self.storage = storage
        tape = storage.tape
        self.object = object
        end = tape.end(of: object)
        cursor = object &+ 1
    }

    /// Returns the value of the first member with the key `key`, whose signature is `signature`.
    @inline(__always)
    mutating func value(forKey key: Span<UInt8>, signature: UInt8) -> Int? {
        guard !before.mayHold(signature) else { return storage.find(key, of: object).place }
        if cursor < end, tape.isKey(cursor, equalTo: key) {
            let value = cursor &+ 1
            before.insert(signature)
            cursor = tape.next(after: value)
            return value
        }
        return search(key)
    }

    /// Searches after the cursor, and moves it after the found member; otherwise the cursor stays.
    private mutating func search(_ key: Span<UInt8>) -> Int? {
        var passed = before
        var member = cursor
        while member < end {
            let isFound = tape.isKey(member, equalTo: key)
            passed.insert(keyAt: member, tape)
            let value = member &+ 1
            member = tape.next(after: value)
            guard isFound else { continue }
            before = passed
            cursor = member
            return value
        }
        return nil
    }
}

extension KeySignatures {
    @inline(__always)
    fileprivate mutating func insert(keyAt index: Int, _ tape: Tape) {
        let word = tape[index]
        // The bytes of an escaped key are not those of the key.
        if word.kind == .escapedString { return insertAll() }
        insert(tape.withText(of: word) { Self.signature($0) })
    }
}
