extension EncodingContext {
    /// A container that is written to while others are.
    struct Nested {
        let context: EncodingContext
        let handle: EncodingLevel.Handle
    }

    /// The container of a member: when its key has one of that kind already, that one, as in Foundation, so that a
    /// superclass and its subclass can share it.
    func nested(_ key: some CodingKey, of handle: EncodingLevel.Handle, isObject: Bool) -> Nested {
        guard isWritable(handle) else { return refused(key) }
        guard let mark = latestMark(named: converted(key), at: handle.depth), let text = value(of: mark, at: handle.depth) else {
            return opened(child(key, of: handle), isObject: isObject)
        }
        if let child = output.withBytes({ run.context($0.extracting(text)) }) {
            if child.levels.count > 0, child.levels[0].isObject == isObject {
                return Nested(context: child, handle: .init(depth: 0, serial: child.levels[0].serial))
            }
        } else if output.withBytes({ $0[text.lowerBound] }) == (isObject ? 0x7B : 0x5B) {
            guard let child = child(key, of: handle) else { return refused(key) }
            return Nested(context: child, handle: child.reopen(output, text, isObject: isObject))
        }
        return opened(child(key, of: handle), isObject: isObject)
    }

    func nested(of handle: EncodingLevel.Handle, isObject: Bool) -> Nested {
        opened(child(of: handle), isObject: isObject)
    }

    func superEncoder(_ key: some CodingKey, of handle: EncodingLevel.Handle) -> ValueEncoder { encoder(child(key, of: handle)) }

    func superEncoder(of handle: EncodingLevel.Handle) -> ValueEncoder { encoder(child(of: handle)) }

    private func opened(_ child: EncodingContext?, isObject: Bool) -> Nested {
        guard let child else { return Nested(context: self, handle: .closed) }
        return Nested(context: child, handle: child.open(isObject: isObject))
    }

    private func refused(_ value: Any) -> Nested {
        run.note(refusal(value, "The container around a nested one is closed."))
        return Nested(context: self, handle: .closed)
    }

    /// Of no context, one that refuses whatever is encoded: `-1` is nowhere.
    private func encoder(_ child: EncodingContext?) -> ValueEncoder {
        child.map { ValueEncoder(context: $0, depth: 0, start: 0) } ?? ValueEncoder(context: self, depth: -1, start: -1)
    }

    // MARK: Contexts

    private func child(_ key: some CodingKey, of handle: EncodingLevel.Handle) -> EncodingContext? {
        child { body in try member(key, of: handle) { body() } }
    }

    private func child(of handle: EncodingLevel.Handle) -> EncodingContext? {
        child { body in try element(of: handle) { body() } }
    }

    /// A context whose text will stand where `place` writes. What is wrong is noted, since nothing can be thrown.
    private func child(_ place: (() -> Void) throws -> Void) -> EncodingContext? {
        var child: EncodingContext?
        do {
            if stack.isDeep, run.isStackUsedUp { throw tooDeep("a nested container") }
            try place { child = makeChild() }
        } catch {
            run.note(error as? EncodingError ?? misuse(error, "\(error)"))
        }
        return child
    }

    private func makeChild() -> EncodingContext {
        let parent = EncodingParent(run: run, stack: stack, level: baseLevel + levels.count, step: step())
        let child = EncodingContext(settings: settings, below: parent)
        run.add(child, to: output)
        return child
    }

    // MARK: Values that stand there already

    /// Where the value of a member of the innermost object stands.
    private func value(of mark: Int, at depth: Int) -> Range<Int>? {
        let text = memberText(mark, of: levels[depth])
        let start = marks[mark].key.upperBound + (isPretty ? 2 : 1)
        return start < text.upperBound ? start..<text.upperBound : nil
    }

    /// Begins with the members or elements of an object or array that was written whole.
    private func reopen(_ source: OutputBuffer, _ text: Range<Int>, isObject: Bool) -> EncodingLevel.Handle {
        let handle = open(isObject: isObject)
        output.truncate(to: 0)
        source.withBytes { source in
            let children = ChildScanner(source.extracting(text))
            output.append(source.extracting(text.lowerBound..<(text.lowerBound + children.end)))
            levels[0].count = children.count
            guard isObject else { return }
            for key in children.keys {
                marks.append(EncodingLevel.Mark(start: key.lowerBound, keyLength: key.count))
                levels[0].seen.insert(KeySignatures.signature(source.extracting(text).extracting(marks[marks.count - 1].content)))
            }
        }
        return handle
    }
}
