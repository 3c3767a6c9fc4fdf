/// Writes values as text. Scalars of a document are copied as they are written there.
///
/// It has its own stack, so that no depth of a value overflows the thread's.
struct JSONWriter {
    /// A built container whose children are being written.
    private struct Frame {
        enum Children {
            case elements([JSON])
            case members(MemberList, order: [Int])
        }

        let children: Children
        let count: Int
        var next = 0
    }

    private let layout: TextLayout
    private let level: Int
    private var frames: [Frame] = []

    /// - Parameter level: The nesting level of the value in the text.
    init(output: OutputBuffer, options: JSON.WritingOptions, level: Int = 0) {
        layout = TextLayout(output: output, options: options)
        self.level = level
    }

    /// Returns `key` in quotes, escaped.
    static func quoted(_ key: String) -> String {
        let output = OutputBuffer(capacity: key.utf8.count + 8)
        StringWriter.write(key, to: output, escapingSlashes: false)
        return output.string
    }

    mutating func write(_ json: JSON) throws(JSONError) {
        try begin(json)
        while let frame = frames.last {
            guard frame.next < frame.count else {
                end(frame)
                continue
            }
            frames[frames.count - 1].next += 1
            layout.separate(isFirst: frame.next == 0, level: level + frames.count)
            switch frame.children {
            case .elements(let elements): try begin(elements[frame.next])
            case .members(let members, let order):
                let place = order[frame.next]
                layout.write(members.keys[place])
                layout.colon()
                try begin(members.values[place])
            }
        }
    }

    /// Writes a scalar or a document's value, or opens a container.
    private mutating func begin(_ json: JSON) throws(JSONError) {
        let output = layout.output
        switch json.node {
        case .view(let storage, let index):
            var writer = TapeWriter(storage.tape, layout, level: level + frames.count)
            writer.write(index)
        case .null: output.append("null")
        case .bool(let value): output.append(value ? "true" : "false")
        case .int(let value): NumberWriter.write(value, to: output)
        case .uint(let value): NumberWriter.write(value, to: output)
        case .double(let value): try write(value)
        case .number(let text): output.append(text)
        case .string(let text): layout.write(text)
        case .array(let elements):
            output.append(0x5B)
            frames.append(Frame(children: .elements(elements), count: elements.count))
        case .object(let members):
            output.append(0x7B)
            frames.append(Frame(children: .members(members, order: order(of: members)), count: members.count))
        case .missing(let missing):
            throw JSONError(.missing, path: frames.isEmpty ? missing.path : path, expected: "a value", found: "nothing")
        }
    }

    private mutating func end(_ frame: Frame) {
        frames.removeLast()
        if frame.count > 0 { layout.newLine(level: level + frames.count) }
        if case .elements = frame.children { layout.output.append(0x5D) } else { layout.output.append(0x7D) }
    }

    private func write(_ value: Double) throws(JSONError) {
        guard value.isFinite else {
            throw JSONError(.notRepresentable, path: path, expected: "a finite number", found: "\(value)")
        }
        NumberWriter.write(value, to: layout.output)
    }

    /// The path of the value being started.
    private var path: JSONPath {
        JSONPath(
            frames.map { frame in
                switch frame.children {
                case .elements: .index(frame.next - 1)
                case .members(let members, let order): .key(members.keys[order[frame.next - 1]])
                }
            })
    }

    private func order(of members: MemberList) -> [Int] {
        let places = members.places
        guard layout.sortsKeys else { return places }
        return places.map { (key: ScalarText(members.keys[$0]), place: $0) }.sorted { $0.key < $1.key }.map(\.place)
    }
}
