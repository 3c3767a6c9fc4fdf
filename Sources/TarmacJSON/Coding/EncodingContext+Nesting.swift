extension EncodingContext {
    /// A container that is written while others are.
    struct Nested {
        let context: EncodingContext
        let handle: EncodingLevel.Handle
    }

    /// Returns the container of a member. If the key already has one of that kind, it returns that one, as Foundation
    /// does, so that a superclass and its subclass can share it.
    func nested(_ key: some CodingKey, of handle: EncodingLevel.Handle, isObject: Bool) -> Nested {
        let name = converted(key, of: handle)
        guard isWritable(handle) else { return refused(refusal(of: key, in: handle)) }
        guard let mark = latestMark(named: name, at: handle.depth), let text = value(of: mark, at: handle.depth) else {
            return opened(child(key, of: handle), isObject: isObject)
        }
        if let number = output.withBytes({ EncodingRun.number($0.extracting(text)) }) {
            if let nested = continued(number, key, of: handle, isObject: isObject) { return nested }
        } else if output.withBytes({ $0[text.lowerBound] }) == Self.bracket(isObject) {
            guard let child = child(key, of: handle) else { return Nested(context: self, handle: .closed) }
            return Nested(context: child, handle: child.reopen(output, text, isObject: isObject))
        }
        return opened(child(key, of: handle), isObject: isObject)
    }

    /// Returns the container in a nested context, also if that was finished; nil if it is of another kind.
    private func continued(_ number: Int, _ key: some CodingKey, of handle: EncodingLevel.Handle, isObject: Bool) -> Nested? {
        if let child = run.context(number) {
            guard let container = child.ownContainer, container.isObject == isObject else { return nil }
            return Nested(context: child, handle: .init(depth: 0, serial: container.serial))
        }
        run.finishIdleContexts()
        guard let text = run.finishedContainer(number), run.finished.withBytes({ $0[text.lowerBound] }) == Self.bracket(isObject)
        else { return nil }
        let child = makeChild(EncodingStep(AnyCodingKey(key.stringValue), after: step(handle.depth)), level: baseLevel + levels.count)
        let handle = child.reopen(run.finished, text, isObject: isObject)
        run.revive(number, as: child)
        return Nested(context: child, handle: handle)
    }

    /// The container of this context, or the one requested from its super encoder; nil for a value that was encoded
    /// completely.
    var ownContainer: EncodingLevel? {
        guard levels.count > 0, levels[0].frames == 0 || frames[0].container == levels[0].serial else { return nil }
        return levels[0]
    }

    private static func bracket(_ isObject: Bool) -> UInt8 { isObject ? 0x7B : 0x5B }

    func nested(of handle: EncodingLevel.Handle, isObject: Bool) -> Nested {
        opened(child(of: handle), isObject: isObject)
    }

    func superEncoder(_ key: some CodingKey, of handle: EncodingLevel.Handle) -> ValueEncoder { encoder(child(key, of: handle)) }

    func superEncoder(of handle: EncodingLevel.Handle) -> ValueEncoder { encoder(child(of: handle)) }

    private func opened(_ child: EncodingContext?, isObject: Bool) -> Nested {
        guard let child else { return Nested(context: self, handle: .closed) }
        return Nested(context: child, handle: child.open(isObject: isObject))
    }

    private func refused(_ error: EncodingError) -> Nested {
        run.note(error)
        return Nested(context: self, handle: .closed)
    }

    /// Returns the encoder of a context; without a context, one that refuses every value.
    private func encoder(_ child: EncodingContext?) -> ValueEncoder {
        child?.begin() ?? ValueEncoder(context: self, value: .closed)
    }

    // MARK: Contexts

    private func child(_ key: some CodingKey, of handle: EncodingLevel.Handle) -> EncodingContext? {
        child(in: handle) { body in try member(key, of: handle) { body() } }
    }

    private func child(of handle: EncodingLevel.Handle) -> EncodingContext? {
        child(in: handle) { body in try element(of: handle) { body() } }
    }

    /// Returns a context whose text will be inserted where `place` writes. Errors are noted, because it cannot throw.
    private func child(in handle: EncodingLevel.Handle, _ place: (() -> Void) throws -> Void) -> EncodingContext? {
        run.finishIdleContexts()
        var child: EncodingContext?
        do {
            if stack.isUsedUp { throw Self.tooDeep("a nested container", codingPath(of: handle)) }
            try place {
                let made = makeChild(step(levels.count), level: baseLevel + levels.count)
                run.add(made, to: output)
                child = made
            }
        } catch {
            let context = EncodingError.Context(codingPath: codingPath(of: handle), debugDescription: "\(error)")
            run.note(error as? EncodingError ?? .invalidValue(error, context))
        }
        return child
    }

    private func makeChild(_ step: EncodingStep?, level: Int) -> EncodingContext {
        EncodingContext(settings: settings, below: EncodingParent(run: run, stack: stack, routes: routes, level: level, step: step))
    }

    // MARK: Existing values

    /// Returns the range of the value of a member in the innermost object.
    private func value(of mark: Int, at depth: Int) -> Range<Int>? {
        let text = memberText(mark, of: levels[depth])
        let start = marks[mark].key.upperBound + (isPretty ? 2 : 1)
        return start < text.upperBound ? start..<text.upperBound : nil
    }

    /// Opens a container with the members or elements of a complete object or array.
    private func reopen(_ source: OutputBuffer, _ text: Range<Int>, isObject: Bool) -> EncodingLevel.Handle {
        let handle = open(isObject: isObject)
        source.withBytes { source in
            let source = source.extracting(text)
            let children = ChildScanner(source)
            if isObject {
                copyMembers(children, of: source)
            } else {
                output.append(source.extracting(1..<children.end))
                levels[0].count = children.count
            }
        }
        return handle
    }

    /// Copies the members of a complete object. A `JSON` may repeat a key, of which the first counts, or escape it
    /// differently. The keys of a container are found and replaced by their text.
    private func copyMembers(_ children: ChildScanner, of source: Span<UInt8>) {
        var names: Set<ScalarText> = []
        for (number, key) in children.keys.enumerated() {
            let name = StringReader.string(unescaping: source.extracting((key.lowerBound + 1)..<(key.upperBound - 1)))
            guard names.insert(ScalarText(name)).inserted else { continue }
            let isLast = number + 1 == children.keys.count
            let end = isLast ? children.end : children.keys[number + 1].lowerBound - separatorLength
            beginElement(at: 0)
            let mark = writeKey(name)
            marks.append(mark)
            levels[0].seen.insert(output.withBytes { KeySignatures.signature($0.extracting(mark.content)) })
            output.append(source.extracting(key.upperBound..<end))
        }
    }
}
