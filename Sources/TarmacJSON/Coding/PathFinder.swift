/// Finds paths to places of a tape. It remembers the last one and every 64th child it passed, so that the paths of many
/// places take time proportional to the text, in any order.
struct PathFinder {
    private struct Frame {
        let container: Int
        /// The word of the last visited child (its key, in an object), and the number of children before it.
        var child: Int
        var position = 0
        /// The words of the children 64, 128, … that were passed; the places of a tape fit 30 bits.
        var milestones: [UInt32]
        /// The step to the child, and whether its name is a secret's; nil until it is requested.
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

        /// Jumps to the last milestone not after `index`, by binary search; to the first child if there is none.
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

    /// Returns the path; empty for the root and for places outside it. With a mask, keys below the name of a secret are
    /// hidden.
    mutating func path(to index: Int) -> [JSONPath.Component] {
        guard move(to: index) else { return [] }
        var isHidden = false
        return frames.indices.map { place in
            let step = step(place)
            defer { isHidden = isHidden || step.isMasked }
            return isHidden ? KeyMask.hidden(step.component) : step.component
        }
    }

    /// Returns the number of steps below the name of a secret; 0 if there is none on the path.
    mutating func hiddenSteps(to index: Int) -> Int {
        guard move(to: index), let place = frames.indices.first(where: { step($0).isMasked }) else { return 0 }
        return frames.count - 1 - place
    }

    /// Returns the outermost value at or around `index` with the name of a secret.
    mutating func maskedValue(around index: Int) -> Int? {
        guard move(to: index), let place = frames.indices.first(where: { step($0).isMasked }) else { return nil }
        return frames[place].child + keyWords(frames[place].container)
    }

    /// Moves `frames` to `index`; returns `false` for the root and for places outside it.
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

    /// Moves the innermost frame to the child that is or contains `index`; returns the place of its value.
    private mutating func advance(to index: Int) -> Int {
        var frame = frames.removeLast()
        if frame.isFar(from: index) { frame.jump(towards: index) }
        let keyWords = keyWords(frame.container)
        while case let after = tape.next(after: frame.child + keyWords), after <= index { frame.stepOver(to: after) }
        frames.append(frame)
        return frame.child + keyWords
    }

    /// Returns the step, which is kept with the frame: a long name on the path of many values is read once.
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
