/// What a JSON value must look like: checked on the document, before any model is decoded.
///
/// YTKNetwork's `jsonValidator` (YTK-15) as it was meant: members may be optional or null, arrays and
/// alternatives are checked to the bottom, and an error names the path, what was expected and what was
/// found (YTK-B13). Members a shape does not name are allowed unless it is ``closed()``.
///
/// A check takes at most the value's size times the number of members and alternatives the shape has for it.
///
/// ```swift
/// let user: Shape = [
///     "id": .integer(in: 1...),
///     "name": .string,
///     "nick": .string.optional,             // may be missing or null
///     "role": .oneOf("admin", "guest"),
///     "tags": .array(of: .string),
/// ]
/// try user.check(json["data"])              // JSONError at $.data.tags[2]: expected string, found number 7
/// ```
public struct Shape: Sendable {
    indirect enum Rule: Sendable, Hashable {
        case any
        case kind(JSON.Kind)
        /// A whole number; bounds as `Int64`.
        case integer(ClosedRange<Int64>?)
        /// One from a bound up, of any size.
        case integerFrom(Int64)
        case number(ClosedRange<Double>?)
        case array(Shape, ClosedRange<Int>?)
        case object([Member], isClosed: Bool)
        case map(Shape)
        case values([JSON])
        case alternatives([Shape])
        case nullable(Shape)
        case optional(Shape)
    }

    /// A member an object's shape names.
    struct Member: Sendable, Hashable {
        let key: String
        let shape: Shape
    }

    let rule: Rule
    let program: ShapeProgram

    init(_ rule: Rule) {
        self.rule = rule
        program = ShapeProgram(rule)
    }
}

extension Shape: Hashable {
    public static func == (left: Shape, right: Shape) -> Bool { left.rule == right.rule }

    public func hash(into hasher: inout Hasher) { hasher.combine(rule) }
}

extension Shape {
    /// Anything, null included.
    public static let any = Shape(.any)
    public static let null = Shape(.kind(.null))
    public static let bool = Shape(.kind(.bool))
    public static let string = Shape(.kind(.string))
    public static let number = Shape(.number(nil))
    /// A number without fractional part; `1.0` and `1e2` have none. Of any size.
    public static let integer = Shape(.integer(nil))
    /// Any object.
    public static let object = Shape(.object([], isClosed: false))
    /// Any array.
    public static let array = Shape(.array(.any, nil))

    public static func integer(in range: ClosedRange<Int64>) -> Shape { Shape(.integer(range)) }
    /// A whole number from a bound up, beyond 64 bits too.
    public static func integer(in range: PartialRangeFrom<Int64>) -> Shape {
        Shape(.integerFrom(range.lowerBound))
    }
    /// A number in a range. One beyond `Double` counts as an infinity of its sign.
    public static func number(in range: ClosedRange<Double>) -> Shape { Shape(.number(range)) }

    /// An array whose elements all have the shape `element`; default: of any length.
    public static func array(of element: Shape, count: ClosedRange<Int>? = nil) -> Shape {
        Shape(.array(element, count))
    }

    /// An object with these members, checked in their order; others are allowed. A member is required
    /// unless its shape is ``optional``. Of equal keys the first counts.
    public static func object(_ members: KeyValuePairs<String, Shape>) -> Shape {
        var seen: Set<String> = []
        let unique = members.filter { seen.insert($0.key).inserted }
        return Shape(.object(unique.map { Member(key: $0.key, shape: $0.value) }, isClosed: false))
    }

    /// An object used as a dictionary: any keys, values of the shape `value`.
    public static func map(of value: Shape) -> Shape { Shape(.map(value)) }

    /// One of these values, compared as ``JSON`` compares: `.oneOf("admin", "guest")`, `.oneOf(0, 1)`.
    public static func oneOf(_ values: JSON...) -> Shape { Shape(.values(values)) }

    /// A value of at least one of these shapes. The error is that of the shape that fits best, whatever the order of the
    /// text: of the one whose fixed values (``oneOf(_:)``, a `"kind"` for example) the value has, then of the one of which it
    /// has most members or elements; the first of equal ones.
    public static func either(_ shapes: Shape...) -> Shape { Shape(.alternatives(shapes)) }

    /// The same, or null.
    public var nullable: Shape { Shape(.nullable(self)) }

    /// As a member: the same, or null, or not there at all. Elsewhere like ``nullable``.
    public var optional: Shape { Shape(.optional(self)) }

    /// For objects, nullable and optional ones too: members that are not named are refused. Other shapes stay as they are.
    public func closed() -> Shape {
        switch rule {
        case .object(let members, _): Shape(.object(members, isClosed: true))
        case .nullable(let shape): shape.closed().nullable
        case .optional(let shape): shape.closed().optional
        default: self
        }
    }

    /// For objects: with the members of `other` added, which win over those of the same key; closed if
    /// either is. Other shapes stay as they are.
    public func merging(_ other: Shape) -> Shape {
        guard case .object(let mine, let isClosed) = rule, case .object(let theirs, let isOtherClosed) = other.rule
        else { return self }
        let kept = mine.filter { member in !theirs.contains { $0.key == member.key } }
        return Shape(.object(kept + theirs, isClosed: isClosed || isOtherClosed))
    }
}

extension Shape: ExpressibleByDictionaryLiteral {
    /// `["id": .integer]` is `.object(["id": .integer])`.
    public init(dictionaryLiteral members: (String, Shape)...) {
        var seen: Set<String> = []
        let unique = members.filter { seen.insert($0.0).inserted }
        self.init(.object(unique.map { Member(key: $0.0, shape: $0.1) }, isClosed: false))
    }
}
