/// Merges values of documents into the text of a new document, without a tree or recursion.
struct DocumentMerger {
    /// An object being written: the members of `target` in order, changed by `patch`, then those only in `patch`.
    private struct Frame {
        var keys: [(key: String, target: JSON?)]
        var patch: [ScalarText: JSON]
        var next = 0
        var isEmpty = true
    }

    private let layout = TextLayout(output: OutputBuffer(), options: [.withoutEscapingSlashes])
    private var frames: [Frame] = []

    /// Returns nil if one of them was built in code, where its own depth bounds the recursion.
    static func merged(_ target: JSON, _ patch: JSON) -> JSON? {
        guard patch.isOfDocument, target.isOfDocument || target.kind != .object else { return nil }
        var merger = DocumentMerger()
        merger.write(target, patch)
        var options = JSONDocument.Options()
        (options.depthLimit, options.indexLimit) = (.max, .max)
        // Fails only if the text would be larger than any document.
        return try? JSONDocument(merger.layout.output.array, options: options).root
    }

    private mutating func write(_ target: JSON, _ patch: JSON) {
        begin(target, patch)
        while let frame = frames.last {
            let last = frames.count - 1
            guard frame.next < frame.keys.count else {
                frames.removeLast()
                layout.output.append(0x7D)
                continue
            }
            frames[last].next += 1
            let (key, target) = frame.keys[frame.next]
            let change = frame.patch[ScalarText(key)]
            if change?.isNull == true { continue }
            layout.separate(isFirst: frame.isEmpty, level: 0)
            frames[last].isEmpty = false
            layout.write(key)
            layout.colon()
            if let change, change.kind == .object {
                begin(target ?? .null, change)
            } else if let value = change ?? target {
                copy(value)
            }
        }
    }

    private mutating func begin(_ target: JSON, _ patch: JSON) {
        var keys: [(key: String, target: JSON?)] = []
        var changes: [ScalarText: JSON] = [:]
        var seen: Set<ScalarText> = []
        for (key, value) in target.members where seen.insert(ScalarText(key)).inserted { keys.append((key, value)) }
        for (key, value) in patch.members {
            if seen.insert(ScalarText(key)).inserted { keys.append((key, nil)) }
            if changes[ScalarText(key)] == nil { changes[ScalarText(key)] = value }
        }
        layout.output.append(0x7B)
        frames.append(Frame(keys: keys, patch: changes))
    }

    private func copy(_ value: JSON) {
        guard case .view(let storage, let index) = value.node else { return }
        var writer = TapeWriter(storage.tape, layout)
        writer.write(index)
    }
}

extension JSON {
    fileprivate var isOfDocument: Bool {
        if case .view = node { true } else { false }
    }
}
