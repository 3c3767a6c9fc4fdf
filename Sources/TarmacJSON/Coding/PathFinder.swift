/// Finds paths to places of a tape, remembering the last one, so that asking for the path of every element
/// in turn is linear in all.
struct PathFinder {
    private struct Frame {
        let container: Int
        /// The word of the child last looked at (its key, in an object) and how many stand before it.
        var child: Int
        var position = 0

        init(_ container: Int) {
            self.container = container
            child = container + 1
        }
    }

    private let tape: Tape
    private let root: Int
    private var frames: [Frame] = []

    init(tape: Tape, root: Int) {
        self.tape = tape
        self.root = root
    }

    /// Empty for the root and for places outside it.
    mutating func path(to index: Int) -> [JSONPath.Component] {
        guard index > root, index < tape.next(after: root) else { return [] }
        while let last = frames.last, !contains(last.container, index) { frames.removeLast() }
        if frames.isEmpty { frames.append(Frame(root)) }
        while true {
            let value = advance(to: index)
            if value >= index || !tape[value].isContainer { break }
            frames.append(Frame(value))
        }
        return frames.map(component)
    }

    private func contains(_ container: Int, _ index: Int) -> Bool {
        index > container && index < tape.end(of: container)
    }

    /// Moves the innermost frame to the child that is or contains `index`; the place of its value.
    private mutating func advance(to index: Int) -> Int {
        var frame = frames.removeLast()
        if index < frame.child { frame = Frame(frame.container) }
        let keyWords = tape[frame.container].kind == .object ? 1 : 0
        while case let after = tape.next(after: frame.child + keyWords), after <= index {
            frame.child = after
            frame.position += 1
        }
        frames.append(frame)
        return frame.child + keyWords
    }

    private func component(_ frame: Frame) -> JSONPath.Component {
        tape[frame.container].kind == .object
            ? .key(tape.string(at: frame.child)) : .index(frame.position)
    }
}
