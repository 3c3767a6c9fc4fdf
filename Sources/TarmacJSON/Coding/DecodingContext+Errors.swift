extension DecodingContext {
    /// Returns the error of a value that is of another kind than `type`.
    func mismatch(at index: Int, _ type: Any.Type) -> DecodingError {
        if isNull(index) {
            return .valueNotFound(
                type,
                .init(
                    codingPath: errorPath(to: index),
                    debugDescription: "Cannot get value of type \(type) -- found null value instead",
                    underlyingError: error(.typeMismatch, at: index, expected: "\(type)")))
        }
        let cause = error(.typeMismatch, at: index, expected: "\(type)")
        return .typeMismatch(
            type,
            .init(
                codingPath: errorPath(to: index),
                debugDescription: "Expected to decode \(type), found \(cause.found ?? "something else").", underlyingError: cause))
    }

    /// Returns the error of a value that is not a number, or that `type` cannot hold.
    func unfit(at index: Int, _ type: Any.Type) -> DecodingError {
        guard tape[index].isNumber else { return mismatch(at: index, type) }
        return corrupted(at: index, "Number is not representable in \(type).", expected: "\(type)")
    }

    /// Returns the error of a value of the right kind with invalid content.
    func corrupted(at index: Int, _ text: String, expected: String) -> DecodingError {
        let cause = error(.notRepresentable, at: index, expected: expected)
        return .dataCorrupted(
            .init(codingPath: errorPath(to: index), debugDescription: text, underlyingError: cause))
    }

    func keyNotFound(_ key: some CodingKey, in object: Int) -> DecodingError {
        var cause = error(.missing, at: object, expected: "a value")
        cause.path.append(.key(key.stringValue))
        cause.found = "nothing"
        return .keyNotFound(
            key,
            .init(
                codingPath: errorPath(to: object),
                debugDescription: "No value associated with key \(key.stringValue).",
                underlyingError: cause))
    }

    /// Returns the error of a missing member `key` from which a superclass is decoded.
    func missing(_ key: AnyCodingKey, in object: Int, _ type: Any.Type) -> DecodingError {
        var cause = error(.missing, at: object, expected: "\(type)")
        cause.path.append(.key(key.stringValue))
        cause.found = "nothing"
        return .valueNotFound(
            type,
            .init(
                codingPath: errorPath(to: object) + [key], debugDescription: "No value associated with key \(key.stringValue).",
                underlyingError: cause))
    }

    func atEnd(of array: Int, position: Int, _ type: Any.Type) -> DecodingError {
        var cause = error(.missing, at: array, expected: "\(type)")
        cause.path.append(.index(position))
        cause.found = "the end of the array"
        return .valueNotFound(
            type,
            .init(
                codingPath: errorPath(to: array) + [AnyCodingKey(intValue: position)],
                debugDescription: "Unkeyed container is at end.", underlyingError: cause))
    }

    /// Returns the error of types whose recursive decoding would overflow the thread's stack.
    func tooDeep(at index: Int, _ type: Any.Type) -> DecodingError {
        let cause = error(.depthExceeded, at: index, expected: "\(type) on a thread with a larger stack")
        return .dataCorrupted(
            .init(
                codingPath: errorPath(to: index), debugDescription: "The values are nested too deep for this thread's stack.",
                underlyingError: cause))
    }

    /// Returns the path for an error, without keys below the name of a secret.
    private func errorPath(to index: Int) -> [any CodingKey] { masked(codingPath(to: index), at: index) }

    /// Returns `path`, which leads to or through the value at `index`, without keys below the name of a secret.
    private func masked(_ path: [any CodingKey], at index: Int) -> [any CodingKey] {
        let hidden = locator.hiddenSteps(to: index)
        guard hidden > 0 else { return path }
        let shown = codingPath(to: index).count - hidden
        return path.enumerated().map { $0 < shown || $1.intValue != nil ? $1 : AnyCodingKey("•••") }
    }

    // MARK: Errors of others

    /// Returns an error that a type threw while it decoded the value at `index`, with its place in the document. An
    /// error that already has one, or another underlying error, does not change.
    @inline(never)
    func located(_ error: any Error, at index: Int, _ type: Any.Type) -> any Error {
        guard let error = error as? DecodingError else { return error }
        switch error {
        case .typeMismatch(let type, let context):
            return located(context, .typeMismatch, at: index, type).map { DecodingError.typeMismatch(type, $0) } ?? error
        case .valueNotFound(let type, let context):
            return located(context, .missing, at: index, type).map { DecodingError.valueNotFound(type, $0) } ?? error
        case .keyNotFound(let key, let context):
            return located(context, .missing, at: index, type, key).map { DecodingError.keyNotFound(key, $0) } ?? error
        case .dataCorrupted(let context):
            return located(context, .notRepresentable, at: index, type).map { DecodingError.dataCorrupted($0) } ?? error
        @unknown default: return error
        }
    }

    private func located(
        _ context: DecodingError.Context, _ code: JSONError.Code, at index: Int, _ type: Any.Type, _ missing: (any CodingKey)? = nil
    ) -> DecodingError.Context? {
        guard context.underlyingError == nil else { return nil }
        let place = place(of: context.codingPath, from: index)
        // The refused value may be a secret with any name.
        var cause = locator.error(code, at: place, expected: "\(type)", quotes: false)
        if let missing {
            cause.path.append(.key(missing.stringValue))
            cause.found = "nothing"
        }
        // The names in a text inside the text are unknown as well.
        let isSecret = locator.isMasked(place) || tape.isWrappedText(at: place)
        return .init(
            codingPath: masked(context.codingPath, at: place),
            debugDescription: isSecret ? "The value is no valid \(type)." : context.debugDescription,
            underlyingError: cause)
    }

    /// Returns the last existing value on `path`, which starts with the path to `index`.
    private func place(of path: [any CodingKey], from index: Int) -> Int {
        let base = codingPath(to: index)
        guard path.count > base.count, zip(path, base).allSatisfy({ $0.stringValue == $1.stringValue }) else { return index }
        var place = index
        for key in path[base.count...] {
            let next: Int? =
                switch tape[place].kind {
                case .object: value(forKey: key.stringValue, of: place)
                case .array: key.intValue.flatMap { storage.element($0, of: place) }
                default: nil
                }
            guard let next else { return place }
            place = next
        }
        return place
    }

    private func error(_ code: JSONError.Code, at index: Int, expected: String) -> JSONError {
        locator.error(code, at: index, expected: expected)
    }
}
