/// Finds paths to places of a tape, remembering the last one, so that asking for the path of every element
/// in turn is linear in all.
struct PathFinder {
    private struct Frame {
        let container: Int
        /// The word of the child last looked at (its key, in an object) and how many stand before it.
        var child: Int
        var position = 0
        /// What leads to the child, and whether its name is a secret's; nil until somebody asks.
        var step: (component: JSONPath.Component, isMasked: Bool)?

        init(_ container: Int) {
            self.container = container
            child = container + 1
        }
    }

    private let tape: Tape
    private let root: Int
    private let mask: KeyMask?
    private var frames: [Frame] = []

    init(tape: Tape, root: Int, mask: KeyMask? = nil) {
        self.tape = tape
        self.root = root
        self.mask = mask
    }

    /// Empty for the root and for places outside it. With a mask, keys below a secret's name are hidden.
    mutating func path(to index: Int) -> [JSONPath.Component] {
        guard move(to: index) else { return [] }
        var isHidden = false
        return frames.indices.map { place in
            let step = step(place)
            defer { isHidden = isHidden || step.isMasked }
            return isHidden ? KeyMask.hidden(step.component) : step.component
        }
    }

    /// How many steps lead on from a secret's name to `index`; 0 if none is on the way.
    mutating func hiddenSteps(to index: Int) -> Int {
        guard move(to: index), let place = frames.indices.first(where: { step($0).isMasked }) else { return 0 }
        return frames.count - 1 - place
    }

    /// The outermost value around `index`, or the one there, whose name is a secret's.
    mutating func maskedValue(around index: Int) -> Int? {
        guard move(to: index), let place = frames.indices.first(where: { step($0).isMasked }) else { return nil }
        return frames[place].child + keyWords(frames[place].container)
    }

    /// Makes `frames` lead to `index`; false for the root and for places outside it.
    private mutating func move(to index: Int) -> Bool {
        guard index > root, index < tape.next(after: root) else { return false }
        while let last = frames.last, !contains(last.container, index) { frames.removeLast() }
        if frames.isEmpty { frames.append(Frame(root)) }
        while true {
            let value = advance(to: index)
            if value >= index || !tape[value].isContainer { return true }
            frames.append(Frame(value))
        }
    }

    private func contains(_ container: Int, _ index: Int) -> Bool {
        index > container && index < tape.end(of: container)
    }

    private func keyWords(_ container: Int) -> Int { tape[container].kind == .object ? 1 : 0 }

    /// Moves the innermost frame to the child that is or contains `index`; the place of its value.
    private mutating func advance(to index: Int) -> Int {
        var frame = frames.removeLast()
        if index < frame.child { frame = Frame(frame.container) }
        let keyWords = keyWords(frame.container)
        while case let after = tape.next(after: frame.child + keyWords), after <= index {
            frame.child = after
            frame.position += 1
            frame.step = nil
        }
        frames.append(frame)
        return frame.child + keyWords
    }

    /// Kept with the frame: a long name that is on the path of many values is read once.
    private mutating func step(_ place: Int) -> (component: JSONPath.Component, isMasked: Bool) {
        let frame = frames[place]
        if let step = frame.step { return step }
        let step: (component: JSONPath.Component, isMasked: Bool)
        if tape[frame.container].kind == .object {
            let key = tape.string(at: frame.child)
            step = (.key(key), mask?.hides(key) ?? false)
        } else {
            step = (.index(frame.position), false)
        }
        frames[place].step = step
        return step
    }
}
