import Foundation

/// Makes up types.
struct TypePlanGenerator {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// A type of at most `depth` levels; its root is no scalar.
    mutating func plan(depth: Int = 3) -> TypePlan {
        random.once(in: 4) ? plan(below: depth) : .object(fields(below: depth))
    }

    private mutating func plan(below depth: Int) -> TypePlan {
        if depth == 0 || random.once(in: 2) { return scalar() }
        let inner = depth - 1
        return switch random.upTo(12) {
        case 0, 1: .optional(plan(below: inner), isWhole: random.bool())
        case 2, 3, 4: .array(plan(below: inner), isWhole: random.bool())
        case 5: .tuple((0..<random.upTo(4)).map { _ in .init(plan: plan(below: inner), access: access()) })
        case 6: .dictionary(plan(below: inner))
        case 7: .numbered(plan(below: inner))
        case 8: .lenient(plan(below: inner))
        case 9: .any
        default: .object(fields(below: inner))
        }
    }

    private mutating func scalar() -> TypePlan { .scalar(random.pick(TypePlan.Scalar.allCases)) }

    private mutating func access() -> TypePlan.Access { random.once(in: 2) ? .value : random.pick(TypePlan.Access.allCases) }

    // MARK: Keys

    private mutating func fields(below depth: Int) -> [TypePlan.Field] {
        var names: Set<String> = []
        return (0..<random.upTo(6)).compactMap { _ in
            let field = field(below: depth)
            // Two keys may not become one, whatever the strategy.
            return names.insert(field.snakeKey.lowercased().filter { $0 != "_" }).inserted ? field : nil
        }
    }

    private mutating func field(below depth: Int) -> TypePlan.Field {
        let (key, snakeKey) = key()
        var field = TypePlan.Field(key: key, snakeKey: snakeKey, plan: plan(below: depth), access: access())
        if field.access == .superCoder, random.once(in: 2) { (field.key, field.snakeKey) = ("super", "super") }
        return field
    }

    private static let words = [
        "id", "name", "first", "url", "v2", "b2c", "x-y", "o'b.c", "\u{E9}t\u{E9}", "中", "x", "user", "a", "long_winded_word", "\u{1F600}", "q\"\\/",
    ]

    /// A key in camel case, and in snake case.
    private mutating func key() -> (camel: String, snake: String) {
        if random.once(in: 20) {
            return random.pick([("", ""), ("_", "_"), ("__", "__"), ("ABC", "ABC"), ("aURLx", "a_u_r_lx"), ("x1Y2", "x1_y2")])
        }
        let words = (0...random.upTo(3)).map { _ in random.pick(Self.words) }
        if words.count == 1, !words[0].contains("_") { return (words[0], words[0]) }
        let parts = words.flatMap { $0.split(separator: "_") }
        let camel = parts[0].lowercased() + parts.dropFirst().map { String($0).capitalized }.joined()
        let snake = parts.joined(separator: random.once(in: 10) ? "__" : "_")
        let (before, after) = random.once(in: 10) ? (random.pick(["_", "__", ""]), random.pick(["_", ""])) : ("", "")
        return (before + camel + after, before + snake + after)
    }
}

extension SeededGenerator {
    mutating func upTo(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
    mutating func pick<T>(_ values: [T]) -> T { values[upTo(values.count)] }
    mutating func bool() -> Bool { next() & 1 == 0 }
    /// True once in `count` times.
    mutating func once(in count: Int) -> Bool { upTo(count) == 0 }
}
