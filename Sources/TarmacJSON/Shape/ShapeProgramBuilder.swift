/// Flattens a rule, the outermost node first.
struct ShapeProgramBuilder {
    private(set) var nodes: [ShapeProgram.Node] = []
    private(set) var members: [ShapeProgram.Member] = []
    private(set) var keys: [UInt8] = []
    private(set) var values: [JSON] = []
    private(set) var expectations: [String] = []

    /// Returns the place of the node.
    @discardableResult
    mutating func build(_ rule: Shape.Rule) -> Int {
        let place = nodes.count
        nodes.append(ShapeProgram.Node())
        expectations.append(Shape.summary(rule))
        fill(place, rule)
        return place
    }

    private mutating func fill(_ place: Int, _ rule: Shape.Rule) {
        switch rule {
        case .any: nodes[place].accepted = .max
        case .kind(let kind): nodes[place].accepted = Self.bits(kind)
        case .integer(nil):
            nodes[place].accepted = Self.bit(.integer)
            nodes[place].check = .whole
        case .integer(let range?): setRange(place, .integerRange, range.lowerBound, range.upperBound)
        case .integerFrom(let lower):
            setRange(place, .integerRange, lower, .max)
            nodes[place].isEndless = true
        case .number(nil): nodes[place].accepted = Self.bits(.number)
        case .number(let range?):
            setRange(
                place, .numberRange, Int64(bitPattern: range.lowerBound.bitPattern),
                Int64(bitPattern: range.upperBound.bitPattern))
        case .array(let element, let count):
            setRange(place, .array, Int64(count?.lowerBound ?? 0), Int64(count?.upperBound ?? .max))
            nodes[place].first = build(element.rule)
        case .map(let value):
            nodes[place].check = .map
            nodes[place].first = build(value.rule)
        case .object(let members, let isClosed): fill(place, members, isClosed)
        case .values(let values):
            nodes[place].check = .values
            nodes[place].first = self.values.count
            nodes[place].count = values.count
            self.values += values
        case .alternatives(let shapes): fillAlternatives(place, shapes)
        case .nullable(let shape), .optional(let shape):
            fill(place, shape.rule)
            nodes[place].accepted |= Self.bit(.null)
            if case .optional = rule { nodes[place].isOptional = true }
        }
    }

    private mutating func setRange(_ place: Int, _ check: ShapeProgram.Node.Check, _ lower: Int64, _ upper: Int64) {
        nodes[place].check = check
        nodes[place].lower = lower
        nodes[place].upper = upper
    }

    private mutating func fill(_ place: Int, _ members: [Shape.Member], _ isClosed: Bool) {
        nodes[place].check = .object
        nodes[place].isClosed = isClosed
        let table = members.map { member in
            let key = Array(member.key.utf8)
            let start = keys.count
            keys += key
            let signature = member.key.withText { KeySignatures.signature($0) }
            return ShapeProgram.Member(
                node: build(member.shape.rule), keyStart: start, keyLength: key.count, signature: signature)
        }
        nodes[place].first = self.members.count
        nodes[place].count = table.count
        self.members += table
    }

    private mutating func fillAlternatives(_ place: Int, _ shapes: [Shape]) {
        nodes[place].check = .alternatives
        // The places of the nodes are in the member table, without keys.
        let table = shapes.map { shape in
            ShapeProgram.Member(node: build(shape.rule), keyStart: 0, keyLength: 0, signature: 0)
        }
        nodes[place].first = members.count
        nodes[place].count = table.count
        members += table
    }

    private static func bit(_ kind: TapeWord.Kind) -> UInt16 { 1 << UInt16(kind.rawValue) }

    private static func bits(_ kind: JSON.Kind) -> UInt16 {
        switch kind {
        case .null: bit(.null)
        case .bool: bit(.true) | bit(.false)
        case .number: bit(.integer) | bit(.decimal)
        case .string: bit(.string) | bit(.escapedString)
        case .array: bit(.array)
        case .object: bit(.object)
        }
    }
}
