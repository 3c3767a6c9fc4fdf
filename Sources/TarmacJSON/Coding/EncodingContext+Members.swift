#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

extension EncodingContext {
    /// Beyond this many keys a set finds repeated ones.
    private static let linearLimit = 32

    /// Writes one member: separator, key, and what `body` writes. If that throws, nothing of it stays.
    @inline(__always)
    func member<Key: CodingKey>(
        _ key: Key, of handle: EncodingLevel.Handle, _ body: () throws -> Void
    ) throws {
        guard isWritable(handle) else { throw misuse(key, "The container of \(key.stringValue) is closed.") }
        try write(output.count) {
            beginMember(named: converted(key), original: key.stringValue, at: handle.depth)
            try body()
        }
    }

    /// Writes one element. If `body` throws, nothing of it stays.
    @inline(__always)
    func element(of handle: EncodingLevel.Handle, _ body: () throws -> Void) throws {
        guard isWritable(handle) else { throw misuse(handle, "The array is closed.") }
        try write(output.count) {
            beginElement(at: handle.depth)
            try body()
        }
    }

    @inline(__always)
    func beginElement(at depth: Int) {
        if levels[depth].count > 0 { output.append(0x2C) }
        levels[depth].count &+= 1
    }

    /// Writes separator, key and colon; an earlier member of that name is taken out.
    func beginMember(named name: String, original: String, at depth: Int) {
        beginElement(at: depth)
        let start = output.count
        levels[depth].key = original
        StringWriter.write(name, to: output, escapingSlashes: escapesSlashes)
        let mark = EncodingLevel.Mark(start: start, keyLength: output.count - start)
        let removed = isKnown(name, mark, at: depth) ? removeMember(equalTo: mark, at: depth) : 0
        marks.append(EncodingLevel.Mark(start: start - removed, keyLength: mark.keyLength))
        output.append(0x3A)
    }

    /// Members of a dictionary differ by nature and need no check.
    func beginUniqueMember(named name: String, at depth: Int) {
        beginElement(at: depth)
        levels[depth].key = name
        StringWriter.write(name, to: output, escapingSlashes: escapesSlashes)
        output.append(0x3A)
    }

    private func write(_ start: Int, _ body: () throws -> Void) throws {
        let depth = levels.count
        let markCount = marks.count
        let removals = removals
        do {
            try body()
        } catch {
            // An earlier member of the same name is gone already: the text cannot be what it was.
            if removals != self.removals { note(error as? EncodingError ?? misuse(error, "\(error)")) }
            levels.removeLast(max(0, levels.count - depth))
            marks.removeLast(max(0, marks.count - markCount))
            output.truncate(to: start)
            if depth > 0 { levels[depth - 1].count -= 1 }
            throw error
        }
    }

    // MARK: Repeated keys

    /// Whether the object may have a member of that name already.
    private func isKnown(_ name: String, _ mark: EncodingLevel.Mark, at depth: Int) -> Bool {
        let count = levels[depth].count
        if count > Self.linearLimit {
            if levels[depth].names == nil { levels[depth].names = names(at: depth) }
            return levels[depth].names?.insert(quoted(mark)).inserted == false
        }
        let first = output.start[mark.start + 1]
        let last = output.start[mark.start + mark.keyLength - 2]
        let bit = UInt64(1) << ((UInt64(first) &* 7 ^ UInt64(last) &* 31 ^ UInt64(mark.keyLength) &* 11) & 63)
        defer { levels[depth].seen |= bit }
        return levels[depth].seen & bit != 0
    }

    private func names(at depth: Int) -> Set<String> {
        Set(marks[levels[depth].firstMark...].map(quoted))
    }

    private func quoted(_ mark: EncodingLevel.Mark) -> String {
        StringReader.string(plain: UnsafeBufferPointer(start: output.start + mark.start, count: mark.keyLength))
    }

    /// Takes out the earlier member, so that the last one counts; the number of bytes the text shrank by.
    private func removeMember(equalTo mark: EncodingLevel.Mark, at depth: Int) -> Int {
        let key = output.start + mark.start
        for index in levels[depth].firstMark..<marks.count
        where marks[index].keyLength == mark.keyLength
            && memcmp(output.start + marks[index].start, key, mark.keyLength) == 0
        {
            let end = index + 1 < marks.count ? marks[index + 1].start : mark.start
            let range = marks[index].start..<end
            output.remove(range)
            marks.remove(at: index)
            for later in index..<marks.count { marks[later].start -= range.count }
            levels[depth].count -= 1
            removals += 1
            return range.count
        }
        return 0
    }
}
