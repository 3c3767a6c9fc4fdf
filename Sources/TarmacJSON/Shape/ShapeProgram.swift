/// A flat form of a shape, so that a check reads small plain records without reference counting.
///
/// It is created with the shape, which is created once and used for many checks.
final class ShapeProgram: Sendable {
    struct Node {
        enum Check: UInt8 {
            case none, whole, integerRange, numberRange, array, object, map, values, alternatives
        }

        /// One bit for each `TapeWord.Kind` that needs no further check.
        var accepted: UInt16 = 0
        /// The check for the other kinds.
        var check = Check.none
        /// Whether, as a member, it may be missing.
        var isOptional = false
        /// Whether unnamed members are refused.
        var isClosed = false
        /// Whether whole numbers beyond `Int64` are accepted as well.
        var isEndless = false
        /// The start of its members, values or alternatives in their table; for arrays and maps, the child node.
        var first = 0
        var count = 0
        /// The bounds of a number (the bits of a `Double`, or an `Int64`) or of the number of elements.
        var lower: Int64 = .min
        var upper: Int64 = .max
    }

    struct Member {
        var node: Int
        var keyStart: Int
        var keyLength: Int
        var signature: UInt8
    }

    let nodes: Table<Node>
    let members: Table<Member>
    private let keys: Table<UInt8>
    let values: [JSON]
    /// The expected shape in errors, by node.
    let expectations: [String]

    init(_ rule: Shape.Rule) {
        var builder = ShapeProgramBuilder()
        builder.build(rule)
        nodes = Table(builder.nodes)
        members = Table(builder.members)
        keys = Table(builder.keys)
        values = builder.values
        expectations = builder.expectations
    }

    /// Calls `body` with the key of `member`.
    @inline(__always)
    func withKey<Result>(of member: Member, _ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        try keys.withElements(member.keyStart..<(member.keyStart + member.keyLength), body)
    }
}
