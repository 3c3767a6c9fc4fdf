/// Finds paths to places of a tape, remembering the last one and every 64th child it came by, so that the paths of many
/// places take time in proportion to the text in whatever order they are asked for.
struct PathFinder {
    private struct Frame {
        let container: Int
        /// The word of the child last looked at (its key, in an object) and how many stand before it.
        var child: Int
        var position = 0
        /// The words of the children 64, 128, … as far as somebody went; a tape's places fit 30 bits.
        var milestones: [UInt32]
        /// What leads to the child, and whether its name is a secret's; nil until somebody asks.
        var step: (component: JSONPath.Component, isMasked: Bool)?

        init(_ container: Int, _ milestones: [UInt32]) {
            self.container = container
            self.milestones = milestones
            child = container + 1
        }

        /// Whether a milestone is nearer to `index` than the child.
        func isFar(from index: Int) -> Bool {
            if index < child { return true }
            let next = position / PathFinder.span
            return next < milestones.count && milestones[next] <= index
        }

        /// Goes to the last milestone that is not behind `index`, by halving; to the first child if there is none.
        mutating func jump(towards index: Int) {
            var (low, high) = (0, milestones.count)
            while low < high {
                let middle = (low + high) / 2
                if milestones[middle] <= index { low = middle + 1 } else { high = middle }
            }
            child = low == 0 ? container + 1 : Int(milestones[low - 1])
            position = low * PathFinder.span
            step = nil
        }

        mutating func stepOver(to next: Int) {
            child = next
            position += 1
            step = nil
            if position == (milestones.count + 1) * PathFinder.span { milestones.append(UInt32(truncatingIfNeeded: next)) }
        }
    }

    private static let span = 64

    private let tape: Tape
    private let root: Int
    private let mask: KeyMask?
    private var frames: [Frame] = []
    /// The milestones of containers that were left.
    private var left: [Int: [UInt32]] = [:]

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
        while !frames.isEmpty, !contains(frames[frames.count - 1].container, index) { leave() }
        if frames.isEmpty { enter(root) }
        while true {
            let value = advance(to: index)
            if value >= index || !tape[value].isContainer { return true }
            enter(value)
        }
    }

    private mutating func enter(_ container: Int) {
        frames.append(Frame(container, left.isEmpty ? [] : left.removeValue(forKey: container) ?? []))
    }

    private mutating func leave() {
        let frame = frames.removeLast()
        if !frame.milestones.isEmpty { left[frame.container] = frame.milestones }
    }

    private func contains(_ container: Int, _ index: Int) -> Bool {
        index > container && index < tape.end(of: container)
    }

    private func keyWords(_ container: Int) -> Int { tape[container].kind == .object ? 1 : 0 }

    /// Moves the innermost frame to the child that is or contains `index`; the place of its value.
    private mutating func advance(to index: Int) -> Int {
        var frame = frames.removeLast()
        if frame.isFar(from: index) { frame.jump(towards: index) }
        let keyWords = keyWords(frame.container)
        while case let after = tape.next(after: frame.child + keyWords), after <= index { frame.stepOver(to: after) }
        frames.append(frame)
        return frame.child + keyWords
    }

    /// Kept with the frame: a long name that is on the path of many values is read once.
    private mutating func step(_ place: Int) -> (component: JSONPath.Component, isMasked: Bool) {
        if let step = frames[place].step { return step }
        let step: (component: JSONPath.Component, isMasked: Bool)
        if tape[frames[place].container].kind == .object {
            let key = tape.string(at: frames[place].child)
            step = (.key(key), mask?.hides(key) ?? false)
        } else {
            step = (.index(frames[place].position), false)
        }
        frames[place].step = step
        return step
    }
}
