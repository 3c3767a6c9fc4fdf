/// Writes values as text. Scalars of a document are copied as they are written there.
struct JSONWriter {
    let output: OutputBuffer
    let options: JSON.WritingOptions
    private var level = 0

    init(output: OutputBuffer, options: JSON.WritingOptions) {
        self.output = output
        self.options = options
    }

    /// `key` in quotes, escaped.
    static func quoted(_ key: String) -> String {
        let output = OutputBuffer(capacity: key.utf8.count + 8)
        StringWriter.write(key, to: output, escapingSlashes: false)
        return output.string
    }

    mutating func write(_ json: JSON) throws(JSONError) {
        switch json.node {
        case .view(let storage, let index): write(storage.tape, index)
        case .null: output.append("null")
        case .bool(let value): output.append(value ? "true" : "false")
        case .int(let value): NumberWriter.write(value, to: output)
        case .uint(let value): NumberWriter.write(value, to: output)
        case .double(let value): try write(value)
        case .number(let text): output.append(text)
        case .string(let text): write(text)
        case .array(let elements):
            try container(0x5B, elements.indices) { (writer: inout JSONWriter, index) throws(JSONError) in
                try writer.write(elements[index])
            }
        case .object(let members): try write(members)
        case .missing(let missing):
            throw JSONError(.missing, path: missing.path, expected: "a value", found: "nothing")
        }
    }

    private func write(_ value: Double) throws(JSONError) {
        guard value.isFinite else {
            throw JSONError(.notRepresentable, expected: "a finite number", found: "\(value)")
        }
        NumberWriter.write(value, to: output)
    }

    private func write(_ text: String) {
        StringWriter.write(text, to: output, escapingSlashes: !options.contains(.withoutEscapingSlashes))
    }

    private mutating func write(_ members: MemberList) throws(JSONError) {
        var order = Array(members.keys.indices)
        if options.contains(.sortedKeys) { order.sort { members.keys[$0] < members.keys[$1] } }
        try container(0x7B, order) { (writer: inout JSONWriter, index) throws(JSONError) in
            writer.write(members.keys[index])
            writer.colon()
            try writer.write(members.values[index])
        }
    }

    // MARK: Documents

    mutating func write(_ tape: Tape, _ index: Int) {
        let word = tape[index]
        switch word.kind {
        case .array: writeChildren(children(of: index, keyWords: 0, tape), 0x5B, tape)
        case .object: writeChildren(members(of: index, tape), 0x7B, tape)
        default:
            let range = tape.byteRange(of: index)
            output.append(UnsafeBufferPointer(start: tape.bytes + range.lowerBound, count: range.count))
        }
    }

    private mutating func writeChildren(_ children: [Int], _ open: UInt8, _ tape: Tape) {
        container(open, children) { (writer: inout JSONWriter, child) in
            if open == 0x7B {
                writer.write(tape, child)
                writer.colon()
            }
            writer.write(tape, open == 0x7B ? child + 1 : child)
        }
    }

    private func members(of index: Int, _ tape: Tape) -> [Int] {
        let keys = children(of: index, keyWords: 1, tape)
        guard options.contains(.sortedKeys) else { return keys }
        let named = keys.map { (key: tape.string(at: $0), index: $0) }
        return named.sorted { ($0.key, $0.index) < ($1.key, $1.index) }.map(\.index)
    }

    private func children(of container: Int, keyWords: Int, _ tape: Tape) -> [Int] {
        let end = tape.end(of: container)
        var children: [Int] = []
        var child = container + 1
        while child < end {
            children.append(child)
            child = tape.next(after: child + keyWords)
        }
        return children
    }

    // MARK: Layout

    private mutating func container<Items: Collection, Failure: Error>(
        _ open: UInt8, _ items: Items, _ item: (inout JSONWriter, Items.Element) throws(Failure) -> Void
    ) throws(Failure) {
        output.append(open)
        level += 1
        var isFirst = true
        for element in items {
            if !isFirst { output.append(0x2C) }
            isFirst = false
            newLine()
            try item(&self, element)
        }
        level -= 1
        if !isFirst { newLine() }
        output.append(open + 2)
    }

    private func colon() {
        output.append(0x3A)
        if options.contains(.prettyPrinted) { output.append(0x20) }
    }

    private func newLine() {
        guard options.contains(.prettyPrinted) else { return }
        output.append(0x0A)
        output.append(repeating: 0x20, count: 2 * level)
    }
}
