extension JSON: Equatable {
    /// Returns whether two values are equal.
    ///
    /// Numbers are compared by value: `1`, `1.0` and `1e0` are equal. Whole numbers of up to 64 bits and numbers beyond
    /// the range of `Double` are compared exactly, others as `Double`. Strings are compared by their unescaped scalars,
    /// and objects in any order of members, with the first of equal keys. A missing value equals `null`.
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
        case (.view(let storage, let index), .view(let other, let otherIndex)) where storage === other && index == otherIndex:
            true
        default:
            equalsSlowly(left, right)
        }
    }

    /// Compares level by level with a list of open pairs, so that no depth overflows the thread's stack.
    private static func equalsSlowly(_ left: JSON, _ right: JSON) -> Bool {
        var open = [(left, right)]
        while let (left, right) = open.popLast() {
            guard isEqual(left, right, &open) else { return false }
        }
        return true
    }

    /// Compares two values, and adds their children to `open`.
    private static func isEqual(_ left: JSON, _ right: JSON, _ open: inout [(JSON, JSON)]) -> Bool {
        guard let kind = left.kind, let rightKind = right.kind else {
            return (left.kind ?? .null) == .null && (right.kind ?? .null) == .null
        }
        guard kind == rightKind else { return false }
        switch kind {
        case .null: return true
        case .bool: return left.bool == right.bool
        case .number: return left.canonicalNumber == right.canonicalNumber
        case .string: return left.scalarText == right.scalarText
        case .array:
            var others = Elements(right)
            for element in Elements(left) {
                guard let other = others.next(), isEqual(child: element, other, &open) else { return false }
            }
            return others.next() == nil
        case .object:
            let (members, others) = (left.scalarObject, right.scalarObject)
            return members.count == others.count
                && members.allSatisfy { key, value in others[key].map { isEqual(child: value, $0, &open) } ?? false }
        }
    }

    private static func isEqual(child left: JSON, _ right: JSON, _ open: inout [(JSON, JSON)]) -> Bool {
        guard left.isContainer, right.isContainer else { return isEqual(left, right, &open) }
        open.append((left, right))
        return true
    }

    private var isContainer: Bool { kind == .array || kind == .object }

    public static func == (left: JSON, right: String) -> Bool { left == JSON(right) }
    public static func == (left: JSON, right: Bool) -> Bool { left.bool == right }
    public static func == (left: JSON, right: Double) -> Bool { left == JSON(right) }
    public static func == (left: JSON, right: Int) -> Bool { left == JSON(right) }
}

extension JSON: Hashable {
    /// The number of levels that are hashed; equal values are equal there too.
    private static let hashedLevels = 16

    public func hash(into hasher: inout Hasher) { hash(into: &hasher, levels: Self.hashedLevels) }

    private func hash(into hasher: inout Hasher, levels: Int) {
        switch kind {
        case nil, .null: hasher.combine(0)
        case .bool: hasher.combine(bool)
        case .number: hasher.combine(canonicalNumber)
        case .string: hasher.combine(scalarText)
        case .array:
            hasher.combine(Kind.array)
            guard levels > 0 else { return }
            for element in elements { element.hash(into: &hasher, levels: levels - 1) }
        case .object:
            hasher.combine(Kind.object)
            guard levels > 0 else { return }
            // The order of members does not matter, and a sum ignores it.
            let members = scalarObject.map { key, value in
                var member = Hasher()
                member.combine(key)
                value.hash(into: &member, levels: levels - 1)
                return member.finalize()
            }
            hasher.combine(members.reduce(0, &+))
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
        return .huge((numberText ?? "").withText { NumberParts($0) })
    }

    private enum CanonicalNumber: Hashable {
        case signed(Int64), unsigned(UInt64), floating(Double), huge(NumberParts)
    }
}

extension Tape {
    func equals(_ value: Int64, at index: Int) -> Bool {
        integer(at: index, as: Int64.self) == value
    }

    func equals(_ value: String, at index: Int) -> Bool {
        guard self[index].isString else { return false }
        return value.withText { isKey(index, equalTo: $0) }
    }
}
