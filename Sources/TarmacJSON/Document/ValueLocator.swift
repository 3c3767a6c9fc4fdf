/// Makes errors about values of one document. What it finds out it keeps, so that types which try one
/// form after the other do not make decoding quadratic.
struct ValueLocator {
    private let storage: DocumentStorage
    private var paths: PathFinder
    private lazy var mask = KeyMask(storage.options)
    private lazy var lines = storage.tape.withBytes { LineIndex($0) }

    init(_ storage: DocumentStorage) {
        self.storage = storage
        paths = PathFinder(tape: storage.tape, root: 0)
    }

    /// An error about the value at `index`, with its place and, unless its key is masked, a short quote.
    mutating func error(_ code: JSONError.Code, at index: Int, expected: String?) -> JSONError {
        let path = JSONPath(paths.path(to: index))
        let offset = storage.tape.startOffset(of: index)
        let position = lines.position(of: offset)
        return JSONError(
            code, path: path, offset: offset, line: position.line, column: position.column,
            expected: expected, found: found(at: index, path))
    }

    private mutating func found(at index: Int, _ path: JSONPath) -> String {
        let tape = storage.tape
        let kind = tape[index].kind
        switch kind {
        case .null: return "null"
        case .array: return "an array"
        case .object: return "an object"
        case .true, .false, .integer, .decimal, .string, .escapedString:
            let name = JSON.Kind(kind).rawValue
            if mask.hides(path) { return "\(name) •••" }
            return "\(name) \(Snippet(range: tape.scalarRange(of: index)).text(tape))"
        }
    }
}
