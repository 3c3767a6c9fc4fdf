extension EncodingContext {
    /// The number of keys above which a dictionary finds repeated ones.
    private static let linearLimit = 128

    /// Writes one member: separator, key, and the output of `body`. If `body` throws, the member is removed.
    @inline(__always)
    func member<Key: CodingKey>(
        _ key: Key, of handle: EncodingLevel.Handle, _ body: () throws -> Void
    ) throws {
        // Keys are the app's code, so they run before any state is read.
        let original = key.stringValue
        let name = convertsKeys ? converted(key, of: handle) : original
        guard isWritable(handle) else { throw refusal(of: key, in: handle) }
        let checkpoint = Checkpoint(self)
        beginMember(named: name, original: convertsKeys ? original : nil, at: handle.depth)
        do { try body() } catch { throw rolledBack(to: checkpoint, error) }
    }

    /// Writes one element. If `body` throws, the element is removed.
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

    /// Writes separator, key and colon. An earlier member with that name is left out when the object is closed.
    func beginMember(named name: String, original: String?, at depth: Int) {
        beginElement(at: depth)
        let mark = writeKey(name)
        if let earlier = earlierMark(equalTo: mark, at: depth) { leaveOut(earlier, at: depth) }
        marks.append(mark)
        levels[depth].current = mark
        if let original { levels[depth].key = original }
        writeColon()
    }

    /// Starts a member of a dictionary, whose keys are unique and need no check.
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

    /// Returns the earlier member with the same name.
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

    /// Returns the earlier member from a dictionary, and notes the new one.
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
        // The place of a removed member may have another mark, or none.
        return names[level.serial]?[ScalarText(quoted(mark))].flatMap { $0 < marks.count && isSameKey(marks[$0], mark) ? $0 : nil }
    }

    /// Returns the latest member with a name, if any.
    func latestMark(named name: String, at depth: Int) -> Int? {
        let start = output.count
        defer { output.truncate(to: start) }
        let mark = writeKey(name)
        if levels[depth].count > Self.linearLimit { return namedMark(mark, at: depth) }
        return (levels[depth].firstMark..<marks.count).last { isSameKey(marks[$0], mark) }
    }

    /// Discards the names of the object at `depth`, which is closed or removed.
    @inline(__always)
    func forgetNames(of depth: Int) {
        if levels[depth].count >= Self.linearLimit { names[levels[depth].serial] = nil }
    }

    private func quoted(_ mark: EncodingLevel.Mark) -> String {
        output.withBytes { String($0.extracting(mark.key)) }
    }

    /// Restores a member that a removed member with the same name had replaced.
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
