extension DocumentStorage {
    /// An error about the value at `index`, with its place and, unless its key is masked, a short quote.
    func error(_ code: JSONError.Code, at index: Int, expected: String?) -> JSONError {
        let path = tape.path(to: index)
        let offset = tape.startOffset(of: index)
        let position = TextPosition(offset: offset, in: bytes)
        return JSONError(
            code, path: path, offset: offset, line: position.line, column: position.column,
            expected: expected, found: found(at: index, path))
    }

    private func found(at index: Int, _ path: JSONPath) -> String {
        let kind = tape[index].kind
        switch kind {
        case .null: return "null"
        case .array: return "an array"
        case .object: return "an object"
        case .true, .false, .integer, .decimal, .string, .escapedString:
            let name = JSON.Kind(kind).rawValue
            let isMasked = path.components.contains { $0.key.map(options.masks) ?? false }
            return isMasked
                ? "\(name) •••" : "\(name) \(Snippet(bytes: bytes, range: tape.byteRange(of: index)).text)"
        }
    }
}

extension Tape {
    /// Where the value's text begins, quote included.
    func startOffset(of index: Int) -> Int {
        self[index].isString ? self[index].offset - 1 : self[index].offset
    }
}
