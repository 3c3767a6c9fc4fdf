/// The required structure of a JSON value, checked on the document before a model is decoded.
///
/// Members may be optional or null, arrays and alternatives are checked completely, and an error names the path, the
/// expected shape and the value found. Members that a shape does not name are allowed unless it is ``closed()``.
///
/// The cost of a check is at most the size of the value times the number of members and alternatives of the shape.
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
        /// A whole number, with bounds as `Int64`.
        case integer(ClosedRange<Int64>?)
        /// A whole number from a lower bound, of any size.
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

    /// A named member of an object's shape.
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
    /// Any value, null included.
    public static let any = Shape(.any)
    public static let null = Shape(.kind(.null))
    public static let bool = Shape(.kind(.bool))
    public static let string = Shape(.kind(.string))
    public static let number = Shape(.number(nil))
    /// A number of any size without a fractional part, such as `1.0` and `1e2`.
    public static let integer = Shape(.integer(nil))
    /// Any object.
    public static let object = Shape(.object([], isClosed: false))
    /// Any array.
    public static let array = Shape(.array(.any, nil))

    public static func integer(in range: ClosedRange<Int64>) -> Shape { Shape(.integer(range)) }
    /// Returns the shape of a whole number from a lower bound, also beyond 64 bits.
    public static func integer(in range: PartialRangeFrom<Int64>) -> Shape {
        Shape(.integerFrom(range.lowerBound))
    }
    /// Returns the shape of a number in a range. A number beyond `Double` counts as infinity with its sign.
    public static func number(in range: ClosedRange<Double>) -> Shape { Shape(.number(range)) }

    /// Returns the shape of an array whose elements all have the shape `element`. Default: of any length.
    public static func array(of element: Shape, count: ClosedRange<Int>? = nil) -> Shape {
        Shape(.array(element, count))
    }

    /// Returns the shape of an object with these members, checked in their order. Other members are allowed.
    ///
    /// A member is required unless its shape is ``optional``. If a key repeats, the first one counts.
    public static func object(_ members: KeyValuePairs<String, Shape>) -> Shape {
        var seen: Set<String> = []
        let unique = members.filter { seen.insert($0.key).inserted }
        return Shape(.object(unique.map { Member(key: $0.key, shape: $0.value) }, isClosed: false))
    }

    /// Returns the shape of an object that is a dictionary: any keys, and values of the shape `value`.
    public static func map(of value: Shape) -> Shape { Shape(.map(value)) }

    /// Returns the shape of one of these values, compared as ``JSON``: `.oneOf("admin", "guest")`, `.oneOf(0, 1)`.
    public static func oneOf(_ values: JSON...) -> Shape { Shape(.values(values)) }

    /// Returns the shape of a value that has at least one of these shapes.
    ///
    /// The error is that of the shape that fits best: the one whose fixed values (``oneOf(_:)``, such as a `"kind"`)
    /// the value has, then the one with most members or elements in common, then the first. The order of the text does
    /// not matter.
    public static func either(_ shapes: Shape...) -> Shape { Shape(.alternatives(shapes)) }

    /// The shape, or null.
    public var nullable: Shape { Shape(.nullable(self)) }

    /// For a member: the shape, null, or missing. Elsewhere the same as ``nullable``.
    public var optional: Shape { Shape(.optional(self)) }

    /// Returns the shape that refuses unnamed members of an object, also if nullable or optional. Other shapes do not
    /// change.
    public func closed() -> Shape {
        switch rule {
        case .object(let members, _): Shape(.object(members, isClosed: true))
        case .nullable(let shape): shape.closed().nullable
        case .optional(let shape): shape.closed().optional
        default: self
        }
    }

    /// Returns the shape of an object with the members of `other` added, which replace those with the same key. It is
    /// closed if either shape is. Shapes that are not objects do not change.
    package func merging(_ other: Shape) -> Shape {
        guard case .object(let mine, let isClosed) = rule, case .object(let theirs, let isOtherClosed) = other.rule
        else { return self }
        let kept = mine.filter { member in !theirs.contains { $0.key == member.key } }
        return Shape(.object(kept + theirs, isClosed: isClosed || isOtherClosed))
    }
}

extension Shape: ExpressibleByDictionaryLiteral {
    /// Creates the shape of an object: `["id": .integer]` is `.object(["id": .integer])`.
    public init(dictionaryLiteral members: (String, Shape)...) {
        var seen: Set<String> = []
        let unique = members.filter { seen.insert($0.0).inserted }
        self.init(.object(unique.map { Member(key: $0.0, shape: $0.1) }, isClosed: false))
    }
}
