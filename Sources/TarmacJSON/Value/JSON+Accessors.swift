extension JSON {
    /// The text of a string, unescaped; nil for other values.
    public var string: String? {
        switch node {
        case .view(let storage, let index) where storage.tape[index].isString: storage.tape.string(at: index)
        case .string(let string): string
        default: nil
        }
    }

    /// The number if it is whole (such as `1.0` and `1e2`) and fits; nil otherwise.
    public var int: Int? { integer(Int.self) }

    /// The number, as in ``int``, up to 2⁶³ − 1 on every platform.
    package var int64: Int64? { integer(Int64.self) }

    /// The number, as in ``int``, from 0 to 2⁶⁴ − 1.
    package var uint64: UInt64? { integer(UInt64.self) }

    /// The nearest `Double`; nil for other values, and for numbers beyond its range.
    public var double: Double? {
        switch node {
        case .view(let storage, let index): storage.tape.double(at: index)
        case .int(let value): Double(value)
        case .uint(let value): Double(value)
        case .double(let value): value
        case .number(let text): text.withText { NumberReader.double($0) }
        default: nil
        }
    }

    /// `true` or `false`; nil for other values, 0 and 1 included.
    public var bool: Bool? {
        switch node {
        case .view(let storage, let index): storage.tape.bool(at: index)
        case .bool(let value): value
        default: nil
        }
    }

    /// The text of the number as written in the document; nil for other values.
    public var numberText: String? {
        switch node {
        case .view(let storage, let index) where storage.tape[index].isNumber:
            storage.tape.source(of: storage.tape[index])
        case .int(let value): String(value)
        case .uint(let value): String(value)
        case .double(let value) where value.isFinite: NumberWriter.text(value)
        case .number(let text): text
        default: nil
        }
    }

    /// The elements as an array; nil for other values. ``elements`` iterates without creating one.
    public var array: [JSON]? {
        if case .array(let elements) = node { return elements }
        return kind == .array ? Array(elements) : nil
    }

    /// The members as a dictionary with the first of equal keys; nil for other values.
    ///
    /// ``members`` iterates without creating one and keeps the order. The keys of a dictionary are equal by Swift's
    /// rule: of two members whose keys differ only in Unicode normalization, the first stays.
    public var object: [String: JSON]? {
        guard kind == .object else { return nil }
        return Dictionary(members.lazy.map { ($0.key, $0.value) }) { first, _ in first }
    }

    func integer<T: FixedWidthInteger>(_ type: T.Type) -> T? {
        switch node {
        case .view(let storage, let index): storage.tape.integer(at: index, as: type)
        case .int(let value): T(exactly: value)
        case .uint(let value): T(exactly: value)
        case .double(let value): T(exactly: value)
        case .number(let text): text.withText { NumberReader.integer($0, as: type) }
        default: nil
        }
    }
}
