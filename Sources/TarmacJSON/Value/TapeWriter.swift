/// Writes values of a document, without a tree or recursion.
struct TapeWriter {
    /// A container whose children are being written.
    private struct Frame {
        let isObject: Bool
        /// The word of the next child (its key, in an object), or its number in `order`.
        var next: Int
        let end: Int
        var isEmpty = true
        /// The words of an object's keys, in the order of writing; nil for the order of the text.
        var order: [Int]?
    }

    private let tape: Tape
    private let layout: TextLayout
    private let level: Int
    private var frames: [Frame] = []
    /// Returns the text that replaces the value of a key, or a scalar (without a key); nil for the value itself.
    private let substitute: (String?, Int) -> String?
    private let substitutes: Bool

    init(_ tape: Tape, _ layout: TextLayout, level: Int = 0, substitute: ((String?, Int) -> String?)? = nil) {
        self.tape = tape
        self.layout = layout
        self.level = level
        self.substitute = substitute ?? { _, _ in nil }
        substitutes = substitute != nil
    }

    mutating func write(_ index: Int) {
        begin(index)
        while let child = nextChild() {
            if let key = child.key {
                copy(key)
                layout.colon()
                if substitutes, let text = substitute(tape.string(at: key), child.value) {
                    layout.write(text)
                    continue
                }
            }
            begin(child.value)
        }
    }

    /// Returns the next child to write, of the innermost container with one left; closes those without.
    @inline(__always)
    private mutating func nextChild() -> (key: Int?, value: Int)? {
        while var frame = frames.popLast() {
            guard frame.next < frame.end else {
                if !frame.isEmpty { layout.newLine(level: level + frames.count) }
                layout.output.append(frame.isObject ? 0x7D : 0x5D)
                continue
            }
            let child = frame.order.map { $0[frame.next] } ?? frame.next
            let value = frame.isObject ? child + 1 : child
            frame.next = frame.order == nil ? tape.next(after: value) : frame.next + 1
            layout.separate(isFirst: frame.isEmpty, level: level + frames.count + 1)
            frame.isEmpty = false
            frames.append(frame)
            return (frame.isObject ? child : nil, value)
        }
        return nil
    }

    @inline(__always)
    private mutating func begin(_ index: Int) {
        let word = tape[index]
        guard word.isContainer else {
            if substitutes, let text = substitute(nil, index) { return layout.write(text) }
            return copy(index)
        }
        let isObject = word.kind == .object
        layout.output.append(isObject ? 0x7B : 0x5B)
        if isObject, layout.sortsKeys {
            let order = sortedKeys(of: index)
            frames.append(Frame(isObject: true, next: 0, end: order.count, order: order))
        } else {
            frames.append(Frame(isObject: isObject, next: index + 1, end: tape.end(of: index)))
        }
    }

    /// Writes the scalar or key at `index` as in the document.
    @inline(__always)
    private func copy(_ index: Int) {
        let range = tape.scalarRange(of: index)
        tape.withBytes { layout.output.append($0.extracting(range)) }
    }

    private func sortedKeys(of object: Int) -> [Int] {
        let end = tape.end(of: object)
        var keys: [(key: ScalarText, index: Int)] = []
        var key = object + 1
        while key < end {
            keys.append((ScalarText(tape.string(at: key)), key))
            key = tape.next(after: key + 1)
        }
        return keys.sorted { ($0.key, $0.index) < ($1.key, $1.index) }.map(\.index)
    }
}
