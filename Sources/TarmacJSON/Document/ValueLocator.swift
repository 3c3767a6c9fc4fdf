/// Makes errors about values of one document. What it finds out it keeps, so that types which try one
/// form after the other do not make decoding quadratic.
struct ValueLocator {
    private let tape: Tape
    private let mask: KeyMask
    private let isText: Bool
    private var paths: PathFinder
    /// The same for where snippets begin, which lags behind.
    private var windows: PathFinder
    private var lines = LineIndex()

    init(_ storage: DocumentStorage) {
        tape = storage.tape
        isText = storage.options.isText
        mask = KeyMask(storage.options)
        paths = PathFinder(tape: tape, root: 0, mask: mask)
        windows = paths
    }

    /// An error about the value at `index`: its path and place, the text that leads there, and what was found.
    /// - Parameter quotes: whether the value itself may be quoted, unless its key is masked.
    mutating func error(_ code: JSONError.Code, at index: Int, expected: String?, quotes: Bool = true) -> JSONError {
        guard isText else { return JSONError(code, path: JSONPath(paths.path(to: index)), expected: expected, found: JSON.Kind(tape[index].kind).inWords) }
        let offset = tape.startOffset(of: index)
        let position = tape.withBytes { lines.position(of: offset, in: $0) }
        return JSONError(
            code, path: JSONPath(paths.path(to: index)), offset: offset, line: position.line, column: position.column,
            expected: expected, found: found(at: index, quotes), snippet: snippet(before: index))
    }

    /// Whether the value at `index` is below a name no error may quote.
    mutating func isMasked(_ index: Int) -> Bool { paths.maskedValue(around: index) != nil }

    /// How many steps of the path to the value at `index` stand below such a name.
    mutating func hiddenSteps(to index: Int) -> Int { paths.hiddenSteps(to: index) }

    private mutating func found(at index: Int, _ quotes: Bool) -> String {
        let kind = JSON.Kind(tape[index].kind)
        switch kind {
        case .null, .array, .object: return kind.inWords
        case .bool, .number, .string:
            if kind == .string, tape.isWrappedText(at: index) { return kind.inWords }
            if isMasked(index) { return "\(kind.rawValue) •••" }
            return quotes ? "\(kind.rawValue) \(Snippet(range: tape.scalarRange(of: index)).text(tape))" : kind.inWords
        }
    }

    // MARK: Snippet

    private mutating func snippet(before index: Int) -> String? {
        var snippet = Snippet(before: tape.startOffset(of: index), of: tape.byteCount)
        guard !snippet.window.isEmpty else { return nil }
        let first = firstWord(from: snippet.window.lowerBound, upTo: index)
        // What began before the window: the word there, its key, and the containers around it.
        if first > 0, let hidden = windows.maskedValue(around: first - 1) {
            snippet.mask(snippet.window.lowerBound..<max(tape.latestEnd(of: hidden), snippet.window.lowerBound))
        }
        for key in first..<max(first, index) where tape.isMaskable(key) && mask.hides(tape.string(at: key)) {
            snippet.mask(tape[key].offset + tape[key].extent + 1..<tape.latestEnd(of: key + 1))
        }
        // The word before the window may reach into it.
        for word in max(first - 1, 0)..<max(first, index) where tape.isWrappedText(at: word) { snippet.mask(tape.scalarRange(of: word)) }
        return snippet.text(tape)
    }

    /// The first word that begins at `offset` or behind it, by halving; at most `index`.
    private func firstWord(from offset: Int, upTo index: Int) -> Int {
        var (low, high) = (0, index)
        while low < high {
            let middle = (low + high) / 2
            if tape.startOffset(of: middle) < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
