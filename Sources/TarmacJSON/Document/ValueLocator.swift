/// Creates errors about values of one document. It caches its results, so that types which try several forms do not
/// make decoding quadratic.
final class ValueLocator {
    private let tape: Tape
    private let mask: KeyMask
    private let isText: Bool
    private var paths: PathFinder
    /// The paths for the start of snippets, which lags behind.
    private var windows: PathFinder
    private var lines = LineIndex()

    init(_ storage: DocumentStorage) {
        tape = storage.tape
        isText = storage.options.isText
        mask = KeyMask(storage.options)
        paths = PathFinder(tape: tape, root: 0, mask: mask)
        windows = paths
    }

    /// Returns an error about the value at `index`: its path and position, the text before it, and the value found.
    /// - Parameter quotes: Whether the value itself may be quoted, unless its key is masked.
    func error(_ code: JSONError.Code, at index: Int, expected: String?, quotes: Bool = true) -> JSONError {
        guard isText else { return JSONError(code, path: JSONPath(paths.path(to: index)), expected: expected, found: JSON.Kind(tape[index].kind).inWords) }
        let offset = tape.startOffset(of: index)
        let position = tape.withBytes { lines.position(of: offset, in: $0) }
        return JSONError(
            code, path: JSONPath(paths.path(to: index)), offset: offset, line: position.line, column: position.column,
            expected: expected, found: found(at: index, quotes), snippet: snippet(before: index))
    }

    /// Whether the value at `index` is below a name whose values errors must not quote.
    func isMasked(_ index: Int) -> Bool { paths.maskedValue(around: index) != nil }

    /// Returns the number of steps below such a name on the path to the value at `index`.
    func hiddenSteps(to index: Int) -> Int { paths.hiddenSteps(to: index) }

    private func found(at index: Int, _ quotes: Bool) -> String {
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

    private func snippet(before index: Int) -> String? {
        var snippet = Snippet(before: tape.startOffset(of: index), of: tape.byteCount)
        guard !snippet.window.isEmpty else { return nil }
        let first = firstWord(from: snippet.window.lowerBound, upTo: index)
        // Values that started before the window: the word there, its key, and the containers around it.
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

    /// Returns the first word that starts at or after `offset`, by binary search; at most `index`.
    private func firstWord(from offset: Int, upTo index: Int) -> Int {
        var (low, high) = (0, index)
        while low < high {
            let middle = (low + high) / 2
            if tape.startOffset(of: middle) < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
