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

    // SAFETY: written in `init`, freed in `deinit`, only read in between.
    nonisolated(unsafe) let nodes: UnsafePointer<Node>
    nonisolated(unsafe) let members: UnsafePointer<Member>
    nonisolated(unsafe) let keys: UnsafePointer<UInt8>
    let values: [JSON]
    /// What an error says was expected, by node.
    let expectations: [String]

    init(_ rule: Shape.Rule) {
        var builder = ShapeProgramBuilder()
        builder.build(rule)
        nodes = Self.copy(builder.nodes)
        members = Self.copy(builder.members)
        keys = Self.copy(builder.keys)
        values = builder.values
        expectations = builder.expectations
    }

    deinit {
        nodes.deallocate()
        members.deallocate()
        keys.deallocate()
    }

    private static func copy<Element>(_ array: [Element]) -> UnsafePointer<Element> {
        let copy = UnsafeMutablePointer<Element>.allocate(capacity: max(array.count, 1))
        copy.initialize(from: array, count: array.count)
        return UnsafePointer(copy)
    }

    @inline(__always)
    func key(_ member: Member) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: keys + member.keyStart, count: member.keyLength)
    }
}
