/// A type made up by a generator: which values it reads and writes, and through which doors of the coders.
indirect enum TypePlan: Sendable {
    case scalar(Scalar)
    /// `T?`, asked for as a whole or by `decodeNil` first.
    case optional(TypePlan, isWhole: Bool)
    /// `[T]`, asked for as a whole or element by element.
    case array(TypePlan, isWhole: Bool)
    /// An array read to a plan for each element.
    case tuple([Element])
    /// `[String: T]`.
    case dictionary(TypePlan)
    /// `[Int: T]`, whose keys are strings in JSON.
    case numbered(TypePlan)
    case object([Field])
    /// What does not fit is left out.
    case lenient(TypePlan)
    /// ``Tree``.
    case any

    /// The types whose values stand alone.
    enum Scalar: CaseIterable, Sendable {
        case bool, string, double, float, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64
        case date, data, url, decimal, colour, level, ratio
    }

    /// How a member or an element is asked for.
    enum Access: CaseIterable, Sendable {
        /// `decode(T.self)`, with the method made for scalars where it is one.
        case value
        /// `decodeIfPresent`, `encodeIfPresent`.
        case ifPresent
        /// A nested container where the plan is an object or an array, else like `value`.
        case nested
        /// `superDecoder(forKey:)`.
        case superCoder
        /// `contains` or `decodeNil`, then `value`.
        case asked
        /// Encoded twice, with something else first.
        case repeated
    }

    struct Element: Sendable {
        var plan: TypePlan
        var access: Access
    }

    struct Field: Sendable {
        /// What the type calls it.
        var key: String
        /// What the text calls it where the key strategy is `convertFromSnakeCase`.
        var snakeKey: String
        var plan: TypePlan
        var access: Access
    }
}

extension TypePlan {
    /// Whether the first fault is the same one for everybody: the standard library goes through dictionaries in random order.
    var isOrdered: Bool {
        switch self {
        case .scalar, .any: true
        case .dictionary, .numbered: false
        case .optional(let inner, _), .array(let inner, _), .lenient(let inner): inner.isOrdered
        case .tuple(let elements): elements.allSatisfy(\.plan.isOrdered)
        case .object(let fields): fields.allSatisfy(\.plan.isOrdered)
        }
    }
}

extension TypePlan {
    /// The same without nested containers.
    var flat: TypePlan {
        switch self {
        case .scalar, .any: self
        case .optional(let inner, let isWhole): .optional(inner.flat, isWhole: isWhole)
        case .array(let inner, let isWhole): .array(inner.flat, isWhole: isWhole)
        case .tuple(let elements): .tuple(elements.map { Element(plan: $0.plan.flat, access: $0.access.flat) })
        case .dictionary(let inner): .dictionary(inner.flat)
        case .numbered(let inner): .numbered(inner.flat)
        case .lenient(let inner): .lenient(inner.flat)
        case .object(let fields):
            .object(fields.map { Field(key: $0.key, snakeKey: $0.snakeKey, plan: $0.plan.flat, access: $0.access.flat) })
        }
    }
}

extension TypePlan.Access {
    fileprivate var flat: Self { self == .nested ? .value : self }
}

enum Colour: String, Codable { case red, green = "GREEN", blue = "bl\u{E9}u" }
enum Level: Int, Codable { case low = -1, middle, high = 100_000 }
enum Ratio: Double, Codable { case half = 0.5, third = 0.333333333333333, ten = 10 }

/// A key of any name.
struct NamedKey: CodingKey {
    var stringValue: String
    var intValue: Int?

    init(stringValue: String) { self.stringValue = stringValue }
    init(intValue: Int) { (stringValue, self.intValue) = (String(intValue), intValue) }
}
