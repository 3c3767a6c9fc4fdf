/// Texts for a generated type: most fit it, with members in any order, gaps, surprises and strangers.
struct PlannedText {
    let strategies: CoderStrategies
    var texts: TextGenerator

    init(_ strategies: CoderStrategies, seed: UInt64) {
        self.strategies = strategies
        texts = TextGenerator(seed: seed)
    }

    mutating func text(_ plan: TypePlan) -> String { texts.space() + text(plan, path: 0) + texts.space() }

    /// - Parameter path: how many keys lead to the value.
    private mutating func text(_ plan: TypePlan, path: Int) -> String {
        if once(in: 60) { return texts.value(depth: 2) }
        switch plan {
        case .scalar(let scalar): return text(scalar)
        case .optional(let inner, _): return once(in: 3) ? "null" : text(inner, path: path)
        case .lenient(let inner): return once(in: 3) ? texts.value(depth: 1) : text(inner, path: path)
        case .any: return texts.value(depth: 2)
        case .array(let inner, _): return array((0..<texts.random.upTo(4)).map { _ in text(inner, path: path + 1) })
        case .tuple(let elements):
            let parts = elements.map { text($0.plan, path: path + 1, access: $0.access) }
            return array(once(in: 12) ? Array(parts.dropLast()) : once(in: 12) ? parts + ["0"] : parts)
        case .dictionary(let inner): return object((0..<texts.random.upTo(4)).map { _ in (texts.string(), text(inner, path: path + 1)) })
        case .numbered(let inner):
            return object(
                (0..<texts.random.upTo(4)).map { _ in
                    (key(once(in: 30) ? "x" : String(texts.random.upTo(2000) - 1000), path: path + 1), text(inner, path: path + 1))
                })
        case .object(let fields): return object(members(fields, path: path + 1))
        }
    }

    private mutating func text(_ plan: TypePlan, path: Int, access: TypePlan.Access) -> String {
        let isOptional = access == .ifPresent || access == .asked
        return once(in: isOptional ? 6 : 80) ? "null" : text(plan, path: path)
    }

    private mutating func members(_ fields: [TypePlan.Field], path: Int) -> [(String, String)] {
        var members: [(String, String)] = []
        for field in fields {
            let isOptional = field.access == .ifPresent || field.access == .asked
            if once(in: isOptional ? 5 : 80) { continue }
            let name = strategies.keys == .snake && !once(in: 40) ? field.snakeKey : field.key
            members.append((key(name, path: path), text(field.plan, path: path, access: field.access)))
        }
        if once(in: 4) { members.append((texts.string(), texts.value(depth: 1))) }
        members.shuffle(using: &texts.random)
        // The first of equal keys counts.
        if once(in: 10), let first = members.first { members.append((first.0, texts.value(depth: 1))) }
        return members
    }

    private mutating func key(_ name: String, path: Int) -> String {
        texts.quoted(strategies.keys == .custom ? CoderStrategies.customKey(name, pathCount: path) : name)
    }

    private mutating func array(_ elements: [String]) -> String {
        "[" + elements.map { texts.space() + $0 }.joined(separator: ",") + texts.space() + "]"
    }

    private mutating func object(_ members: [(String, String)]) -> String {
        "{" + members.map { texts.space() + $0 + texts.space() + ":" + texts.space() + $1 }.joined(separator: ",") + texts.space() + "}"
    }

    private mutating func once(in count: Int) -> Bool { texts.random.once(in: count) }
}
