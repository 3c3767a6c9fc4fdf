import Foundation

extension TypePlan {
    /// A plan for a value: of the right kind mostly, by one of many doors.
    static func fitting(_ json: JSON, _ random: inout SeededGenerator) -> TypePlan {
        let plan = exactly(json, &random)
        return switch random.upTo(12) {
        case 0: .optional(plan, isWhole: random.bool())
        case 1: .lenient(plan)
        case 2: .any
        default: plan
        }
    }

    private static func exactly(_ json: JSON, _ random: inout SeededGenerator) -> TypePlan {
        switch json.kind {
        case .null, nil: .optional(.scalar(random.pick(Scalar.allCases)), isWhole: random.bool())
        case .bool: .scalar(.bool)
        case .number:
            .scalar(
                random.pick([
                    .double, .float, .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64, .decimal, .date, .level, .ratio,
                ]))
        case .string: .scalar(random.pick([.string, .string, .url, .data, .date, .colour, .double, .float]))
        case .array: array(json, &random)
        case .object: object(json, &random)
        }
    }

    private static func array(_ json: JSON, _ random: inout SeededGenerator) -> TypePlan {
        if random.bool() { return .array(fitting(json[random.upTo(max(1, json.count))], &random), isWhole: random.bool()) }
        if random.once(in: 8) { return .scalar(.data) }
        var elements = json.elements.prefix(20).map { Element(plan: fitting($0, &random), access: random.pick(Access.allCases)) }
        if random.once(in: 8) { elements.append(Element(plan: .any, access: random.pick(Access.allCases))) }
        return .tuple(elements)
    }

    private static func object(_ json: JSON, _ random: inout SeededGenerator) -> TypePlan {
        let first = json.members.first { _ in true }?.value ?? .null
        if random.once(in: 4) { return random.bool() ? .dictionary(fitting(first, &random)) : .numbered(fitting(first, &random)) }
        var names: Set<String> = []
        var fields = json.members.prefix(20).compactMap { key, value -> Field? in
            guard names.insert(key).inserted else { return nil }
            return Field(key: key, snakeKey: key, plan: fitting(value, &random), access: random.pick(Access.allCases))
        }
        if random.once(in: 4), names.insert("super").inserted {
            fields.append(Field(key: "super", snakeKey: "super", plan: .any, access: random.pick(Access.allCases)))
        }
        return .object(fields)
    }
}
