extension EncodingContext {
    /// Beyond this many keys a set finds repeated ones.
    private static let linearLimit = 128

    /// Writes one member: separator, key, and what `body` writes. If that throws, nothing of it stays.
    @inline(__always)
    func member<Key: CodingKey>(
        _ key: Key, of handle: EncodingLevel.Handle, _ body: () throws -> Void
    ) throws {
        guard isWritable(handle) else { throw misuse(key, "The container of \(key.stringValue) is closed.") }
        let checkpoint = Checkpoint(self)
        if convertsKeys {
            beginMember(named: converted(key), original: key.stringValue, at: handle.depth)
        } else {
            beginMember(named: key.stringValue, original: nil, at: handle.depth)
        }
        do { try body() } catch { throw rolledBack(to: checkpoint, error) }
    }

    /// Writes one element. If `body` throws, nothing of it stays.
    @inline(__always)
    func element(of handle: EncodingLevel.Handle, _ body: () throws -> Void) throws {
        guard isWritable(handle) else { throw misuse(handle, "The array is closed.") }
        let checkpoint = Checkpoint(self)
        beginElement(at: handle.depth)
        do { try body() } catch { throw rolledBack(to: checkpoint, error) }
    }

    @inline(__always)
    func beginElement(at depth: Int) {
        if levels[depth].count > 0 { output.append(0x2C) }
        levels[depth].count &+= 1
    }

    /// Writes separator, key and colon; an earlier member of that name is taken out.
    func beginMember(named name: String, original: String?, at depth: Int) {
        beginElement(at: depth)
        var mark = writeKey(name, at: depth)
        if isKnown(mark, at: depth) { mark.start -= removeMember(equalTo: mark, at: depth) }
        marks.append(mark)
        levels[depth].current = mark
        if let original { levels[depth].key = original }
        output.append(0x3A)
    }

    /// Members of a dictionary differ by nature and need no check.
    func beginUniqueMember(named name: String, at depth: Int) {
        beginElement(at: depth)
        levels[depth].current = writeKey(name, at: depth)
        levels[depth].key = nil
        output.append(0x3A)
    }

    @inline(__always)
    private func writeKey(_ name: String, at depth: Int) -> EncodingLevel.Mark {
        let start = output.count
        StringWriter.write(name, to: output, escapingSlashes: escapesSlashes)
        return EncodingLevel.Mark(start: start, keyLength: output.count &- start)
    }

    // MARK: Rolling back

    struct Checkpoint {
        let text: Int
        let depth: Int
        let marks: Int
        let removals: Int

        @inline(__always)
        init(_ context: EncodingContext) {
            text = context.output.count
            depth = context.levels.count
            marks = context.marks.count
            removals = context.removals
        }
    }

    @inline(never)
    private func rolledBack(to checkpoint: Checkpoint, _ error: any Error) -> any Error {
        // An earlier member of the same name is gone already: the text cannot be what it was.
        if checkpoint.removals != removals { note(error as? EncodingError ?? misuse(error, "\(error)")) }
        levels.removeLast(levels.count - checkpoint.depth)
        marks.removeLast(marks.count - checkpoint.marks)
        output.truncate(to: checkpoint.text)
        if checkpoint.depth > 0 { levels[checkpoint.depth - 1].count -= 1 }
        return error
    }

    // MARK: Repeated keys

    /// Whether the object may have a member of that name already.
    @inline(__always)
    private func isKnown(_ mark: EncodingLevel.Mark, at depth: Int) -> Bool {
        if levels[depth].count > Self.linearLimit { return isNamed(mark, at: depth) }
        let signature = KeySignatures.signature(output.start + mark.start + 1, mark.keyLength - 2)
        if levels[depth].seen.mayHold(signature) { return true }
        levels[depth].seen.insert(signature)
        return false
    }

    private func isNamed(_ mark: EncodingLevel.Mark, at depth: Int) -> Bool {
        let level = levels[depth]
        if names[level.serial] == nil {
            names[level.serial] = Set((level.firstMark..<marks.count).map { quoted(marks[$0]) })
        }
        return names[level.serial]?.insert(quoted(mark)).inserted == false
    }

    private func quoted(_ mark: EncodingLevel.Mark) -> String {
        StringReader.string(plain: UnsafeBufferPointer(start: output.start + mark.start, count: mark.keyLength))
    }

    /// Takes out the earlier member, so that the last one counts; the number of bytes the text shrank by.
    private func removeMember(equalTo mark: EncodingLevel.Mark, at depth: Int) -> Int {
        for index in levels[depth].firstMark..<marks.count where isSameKey(marks[index], mark) {
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

    @inline(__always)
    private func isSameKey(_ left: EncodingLevel.Mark, _ right: EncodingLevel.Mark) -> Bool {
        left.keyLength == right.keyLength
            && ByteLanes.areEqual(output.start + left.start, output.start + right.start, count: left.keyLength)
    }
}
