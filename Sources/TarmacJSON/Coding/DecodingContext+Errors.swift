extension DecodingContext {
    /// The value at `index` is of another kind than `type`.
    func mismatch(at index: Int, _ type: Any.Type) -> DecodingError {
        if isNull(index) {
            return .valueNotFound(
                type,
                .init(
                    codingPath: codingPath(to: index),
                    debugDescription: "Cannot get value of type \(type) -- found null value instead",
                    underlyingError: error(.typeMismatch, at: index, expected: "\(type)")))
        }
        let cause = error(.typeMismatch, at: index, expected: "\(type)")
        return .typeMismatch(
            type,
            .init(
                codingPath: codingPath(to: index),
                debugDescription: "Expected to decode \(type), found \(cause.found ?? "something else").", underlyingError: cause))
    }

    /// The value at `index` is no number, or one that `type` cannot hold.
    func unfit(at index: Int, _ type: Any.Type) -> DecodingError {
        guard tape[index].isNumber else { return mismatch(at: index, type) }
        return corrupted(at: index, "Number is not representable in \(type).", expected: "\(type)")
    }

    /// The value at `index` is of the right kind and makes no sense.
    func corrupted(at index: Int, _ text: String, expected: String) -> DecodingError {
        let cause = error(.notRepresentable, at: index, expected: expected)
        return .dataCorrupted(
            .init(codingPath: codingPath(to: index), debugDescription: text, underlyingError: cause))
    }

    func keyNotFound(_ key: some CodingKey, in object: Int) -> DecodingError {
        var cause = error(.missing, at: object, expected: "a value")
        cause.path.append(.key(key.stringValue))
        cause.found = "nothing"
        return .keyNotFound(
            key,
            .init(
                codingPath: codingPath(to: object),
                debugDescription: "No value associated with key \(key.stringValue).",
                underlyingError: cause))
    }

    func atEnd(of array: Int, position: Int, _ type: Any.Type) -> DecodingError {
        var cause = error(.missing, at: array, expected: "\(type)")
        cause.path.append(.index(position))
        cause.found = "the end of the array"
        return .valueNotFound(
            type,
            .init(
                codingPath: codingPath(to: array) + [AnyCodingKey(intValue: position)],
                debugDescription: "Unkeyed container is at end.", underlyingError: cause))
    }

    private func error(_ code: JSONError.Code, at index: Int, expected: String) -> JSONError {
        index == absent
            ? JSONError(code, expected: expected, found: "nothing")
            : locator.error(code, at: index, expected: expected)
    }
}
