extension EncodingContext {
    /// Beyond this many keys a dictionary finds repeated ones.
    private static let linearLimit = 128

    /// Writes one member: separator, key, and what `body` writes. If that throws, nothing of it stays.
    @inline(__always)
    func member<Key: CodingKey>(
        _ key: Key, of handle: EncodingLevel.Handle, _ body: () throws -> Void
    ) throws {
        // Keys are an app's code, so they are asked before anything is looked at.
        let original = key.stringValue
        let name = convertsKeys ? converted(key, of: handle) : original
        guard isWritable(handle) else { throw refusal(of: key, in: handle) }
        let checkpoint = Checkpoint(self)
        beginMember(named: name, original: convertsKeys ? original : nil, at: handle.depth)
        do { try body() } catch { throw rolledBack(to: checkpoint, error) }
    }

    /// Writes one element. If `body` throws, nothing of it stays.
    @inline(__always)
    func element(of handle: EncodingLevel.Handle, _ body: () throws -> Void) throws {
        guard isWritable(handle) else { throw refusal(ofElementIn: handle) }
        let checkpoint = Checkpoint(self)
        beginElement(at: handle.depth)
        do { try body() } catch { throw rolledBack(to: checkpoint, error) }
    }

    @inline(__always)
    func beginElement(at depth: Int) {
        let count = levels[depth].count
        if count > 0 { output.append(0x2C) }
        if isPretty { layout.newLine(level: baseLevel &+ depth &+ 1) }
        levels[depth].count = count &+ 1
    }

    /// Writes separator, key and colon; an earlier member of that name is left out when the object closes.
    func beginMember(named name: String, original: String?, at depth: Int) {
        beginElement(at: depth)
        let mark = writeKey(name)
        if let earlier = earlierMark(equalTo: mark, at: depth) { leaveOut(earlier, at: depth) }
        marks.append(mark)
        levels[depth].current = mark
        if let original { levels[depth].key = original }
        writeColon()
    }

    /// Members of a dictionary differ by nature and need no check.
    func beginUniqueMember(named name: String, at depth: Int) {
        beginElement(at: depth)
        levels[depth].current = writeKey(name)
        levels[depth].key = nil
        if sortsKeys { marks.append(levels[depth].current) }
        writeColon()
    }

    @inline(never)
    private func leaveOut(_ mark: Int, at depth: Int) {
        marks[mark].isReplaced = true
        levels[depth].replacements &+= 1
        removals += 1
        replaced.append(mark)
    }

    @inline(__always)
    func writeKey(_ name: String) -> EncodingLevel.Mark {
        let start = output.count
        write(string: name)
        return EncodingLevel.Mark(start: start, keyLength: output.count &- start)
    }

    @inline(__always)
    private func writeColon() {
        output.append(0x3A)
        if isPretty { output.append(0x20) }
    }

    // MARK: Repeated keys

    /// The earlier member of the same name.
    @inline(__always)
    private func earlierMark(equalTo mark: EncodingLevel.Mark, at depth: Int) -> Int? {
        if levels[depth].count > Self.linearLimit { return namedMark(equalTo: mark, at: depth) }
        let signature = output.withBytes { KeySignatures.signature($0.extracting(mark.content)) }
        guard levels[depth].seen.mayHold(signature) else {
            levels[depth].seen.insert(signature)
            return nil
        }
        return (levels[depth].firstMark..<marks.count).last { isSameKey(marks[$0], mark) }
    }

    /// The same from a dictionary, which also notes the member.
    private func namedMark(equalTo mark: EncodingLevel.Mark, at depth: Int) -> Int? {
        let earlier = namedMark(mark, at: depth)
        names[levels[depth].serial]?[ScalarText(quoted(mark))] = marks.count
        return earlier
    }

    private func namedMark(_ mark: EncodingLevel.Mark, at depth: Int) -> Int? {
        let level = levels[depth]
        if names[level.serial] == nil {
            let known = (level.firstMark..<marks.count).map { (ScalarText(quoted(marks[$0])), $0) }
            names[level.serial] = Dictionary(known) { $1 }
        }
        // Of a member that was rolled back, the place has another's mark by now, or none.
        return names[level.serial]?[ScalarText(quoted(mark))].flatMap { $0 < marks.count && isSameKey(marks[$0], mark) ? $0 : nil }
    }

    /// The latest member of a name, which need not be there.
    func latestMark(named name: String, at depth: Int) -> Int? {
        let start = output.count
        defer { output.truncate(to: start) }
        let mark = writeKey(name)
        if levels[depth].count > Self.linearLimit { return namedMark(mark, at: depth) }
        return (levels[depth].firstMark..<marks.count).last { isSameKey(marks[$0], mark) }
    }

    /// The names of the object at `depth`, which closes or is taken back.
    @inline(__always)
    func forgetNames(of depth: Int) {
        if levels[depth].count >= Self.linearLimit { names[levels[depth].serial] = nil }
    }

    private func quoted(_ mark: EncodingLevel.Mark) -> String {
        output.withBytes { String($0.extracting(mark.key)) }
    }

    /// What a rolled back member of the same name replaced counts again.
    func keepAfterAll(_ mark: Int, at depth: Int) {
        marks[mark].isReplaced = false
        levels[depth].replacements &-= 1
        names[levels[depth].serial]?[ScalarText(quoted(marks[mark]))] = mark
    }

    @inline(__always)
    private func isSameKey(_ left: EncodingLevel.Mark, _ right: EncodingLevel.Mark) -> Bool {
        output.withBytes { $0.extracting(left.key).hasSameBytes(as: $0.extracting(right.key)) }
    }
}
