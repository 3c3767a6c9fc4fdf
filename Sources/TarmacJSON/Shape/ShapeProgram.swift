/// A shape laid out flat, so that checking reads small plain records and counts no references.
///
/// Made with the shape, which is made once and checked often.
final class ShapeProgram: Sendable {
    struct Node {
        enum Check: UInt8 {
            case none, whole, integerRange, numberRange, array, object, map, values, alternatives
        }

        /// One bit for each `TapeWord.Kind` that needs no further look.
        var accepted: UInt16 = 0
        /// What decides about the other kinds.
        var check = Check.none
        /// As a member: may be missing.
        var isOptional = false
        /// Refuses members that are not named.
        var isClosed = false
        /// Takes whole numbers beyond `Int64` as well.
        var isEndless = false
        /// Where its members, values or alternatives stand in their table; of arrays and maps, the child node.
        var first = 0
        var count = 0
        /// Bounds of a number (the bits of a `Double`, or an `Int64`) or of the count of elements.
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
    /// What an error says was expected, by node.
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

    /// Runs `body` with the key of `member`.
    @inline(__always)
    func withKey<Result>(of member: Member, _ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        try keys.withElements(member.keyStart..<(member.keyStart + member.keyLength), body)
    }
}
