extension JSON: Equatable {
    /// Whether both are the same value: numbers by value (`1`, `1.0` and `1e0` are equal; whole numbers of
    /// up to 64 bits exactly, others as `Double`), strings by their scalars once unescaped, objects
    /// whatever the order of members (the first of equal keys counts), and a missing value equals `null`.
    ///
    /// Literals work on either side: `json["status"] == 1`, `json["name"] == "ann"`, `json["gone"] == nil`.
    public static func == (left: JSON, right: JSON) -> Bool {
        switch (left.node, right.node) {
        case (.view(let storage, let index), .int(let value)):
            storage.tape.equals(value, at: index)
        case (.int(let value), .view(let storage, let index)):
            storage.tape.equals(value, at: index)
        case (.view(let storage, let index), .string(let value)):
            storage.tape.equals(value, at: index)
        case (.string(let value), .view(let storage, let index)):
            storage.tape.equals(value, at: index)
        default:
            equalsSlowly(left, right)
        }
    }

    private static func equalsSlowly(_ left: JSON, _ right: JSON) -> Bool {
        guard let kind = left.kind, let rightKind = right.kind else {
            return (left.kind ?? .null) == .null && (right.kind ?? .null) == .null
        }
        guard kind == rightKind else { return false }
        switch kind {
        case .null: return true
        case .bool: return left.bool == right.bool
        case .number: return left.canonicalNumber == right.canonicalNumber
        case .string: return left.scalarText == right.scalarText
        case .array: return left.elements.elementsEqual(right.elements)
        case .object: return left.scalarObject == right.scalarObject
        }
    }

    public static func == (left: JSON, right: String) -> Bool { left == JSON(right) }
    public static func == (left: JSON, right: Bool) -> Bool { left.bool == right }
    public static func == (left: JSON, right: Double) -> Bool { left == JSON(right) }
    public static func == (left: JSON, right: Int) -> Bool { left == JSON(right) }
}

extension JSON: Hashable {
    public func hash(into hasher: inout Hasher) {
        switch kind {
        case nil, .null: hasher.combine(0)
        case .bool: hasher.combine(bool)
        case .number: hasher.combine(canonicalNumber)
        case .string: hasher.combine(scalarText)
        case .array: hasher.combine(array)
        case .object: hasher.combine(scalarObject)
        }
    }

    private var scalarText: ScalarText? { string.map(ScalarText.init) }

    private var scalarObject: [ScalarText: JSON] {
        Dictionary(members.lazy.map { (ScalarText($0.key), $0.value) }) { first, _ in first }
    }

    /// One form for all spellings of a number, so that equality is transitive.
    private var canonicalNumber: CanonicalNumber {
        if let value = int64 { return .signed(value) }
        if let value = uint64 { return .unsigned(value) }
        if let value = double { return .floating(value) }
        return .text(numberText ?? "")
    }

    private enum CanonicalNumber: Hashable {
        case signed(Int64), unsigned(UInt64), floating(Double), text(String)
    }
}

extension Tape {
    func equals(_ value: Int64, at index: Int) -> Bool {
        integer(at: index, as: Int64.self) == value
    }

    func equals(_ value: String, at index: Int) -> Bool {
        guard self[index].isString else { return false }
        var value = value
        return value.withUTF8 { isKey(index, equalTo: $0) }
    }
}
