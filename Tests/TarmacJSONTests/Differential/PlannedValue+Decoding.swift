extension PlannedValue: Decodable {
    init(from decoder: any Decoder) throws {
        guard let plans = decoder.userInfo[.plans] as? PlanStack, let plan = plans.top else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no plan"))
        }
        self.init(plan: plan, content: try PlanReader(plans: plans).read(plan, decoder))
    }
}

/// Reads values as their plans say.
struct PlanReader {
    let plans: PlanStack

    func read(_ plan: TypePlan, _ decoder: any Decoder) throws -> Content {
        switch plan {
        case .scalar(let scalar): try scalar.decode(from: decoder.singleValueContainer())
        case .optional(let inner, let isWhole): try optional(inner, isWhole, decoder.singleValueContainer())
        case .array(.scalar(let scalar), isWhole: true): try scalar.accept(WholeArray(container: decoder.singleValueContainer()))
        case .array(let inner, isWhole: true):
            .list(try plans.with(inner) { try decoder.singleValueContainer().decode([PlannedValue].self).map(\.content) })
        case .array(let inner, isWhole: false): try array(inner, decoder.unkeyedContainer())
        case .tuple(let elements): try tuple(elements, decoder.unkeyedContainer())
        case .dictionary(.scalar(let scalar)): try scalar.accept(WholeDictionary(container: decoder.singleValueContainer()))
        case .dictionary(let inner):
            .members(try plans.with(inner) { try decoder.singleValueContainer().decode([String: PlannedValue].self).mapValues(\.content) })
        case .numbered(let inner): try numbered(inner, decoder.singleValueContainer())
        case .object(let fields): try object(fields, decoder.container(keyedBy: NamedKey.self))
        case .lenient(let inner): (try? plans.with(inner) { try PlannedValue(from: decoder) })?.content ?? .absent
        case .any: .any(try Tree(from: decoder))
        }
    }

    private func optional(_ inner: TypePlan, _ isWhole: Bool, _ container: any SingleValueDecodingContainer) throws -> Content {
        if isWhole { return try plans.with(inner) { try container.decode(PlannedValue?.self) }?.content ?? .null }
        if container.decodeNil() { return .null }
        return try plans.with(inner) { try container.decode(PlannedValue.self) }.content
    }

    private func numbered(_ inner: TypePlan, _ container: any SingleValueDecodingContainer) throws -> Content {
        let members = try plans.with(inner) { try container.decode([Int: PlannedValue].self) }
        return .members(Dictionary(uniqueKeysWithValues: members.map { (String($0.key), $0.value.content) }))
    }

    private func array(_ inner: TypePlan, _ container: any UnkeyedDecodingContainer) throws -> Content {
        var container = container
        var elements: [Content] = []
        while !container.isAtEnd { elements.append(try element(.init(plan: inner, access: .value), &container)) }
        return .list(elements)
    }

    // MARK: Elements

    /// The elements, then what the container says of itself.
    private func tuple(_ elements: [TypePlan.Element], _ container: any UnkeyedDecodingContainer) throws -> Content {
        var container = container
        var contents: [Content] = []
        for element in elements { contents.append(try self.element(element, &container)) }
        let count = container.count ?? -1
        // Asked for more than there is, Foundation counts on.
        return .list(contents + [.int(min(container.currentIndex, count)), .int(count), .bool(container.isAtEnd)])
    }

    private func element(_ element: TypePlan.Element, _ container: inout any UnkeyedDecodingContainer) throws -> Content {
        switch (element.access, element.plan) {
        case (.value, .scalar(let scalar)), (.repeated, .scalar(let scalar)): return try scalar.decode(from: &container)
        case (.ifPresent, .scalar(let scalar)): return try scalar.decodeIfPresent(from: &container) ?? .null
        case (.ifPresent, let plan):
            return try plans.with(plan) { try container.decodeIfPresent(PlannedValue.self) }?.content ?? .null
        case (.nested, .object(let fields)): return try object(fields, container.nestedContainer(keyedBy: NamedKey.self))
        case (.nested, .tuple(let elements)): return try tuple(elements, container.nestedUnkeyedContainer())
        case (.nested, .array(let inner, _)): return try array(inner, container.nestedUnkeyedContainer())
        case (.superCoder, let plan): return try read(plan, container.superDecoder())
        case (.asked, _) where try container.decodeNil(): return .null
        case (_, .lenient(let inner)): return try skipping(inner, &container)
        case (_, let plan): return try plans.with(plan) { try container.decode(PlannedValue.self) }.content
        }
    }

    /// A value that does not fit is not stepped over; the next type gets it.
    private func skipping(_ plan: TypePlan, _ container: inout any UnkeyedDecodingContainer) throws -> Content {
        if let value = try? plans.with(plan, { try container.decode(PlannedValue.self) }) { return value.content }
        return .list([.absent, .any(try container.decode(Tree.self))])
    }

    // MARK: Members

    private func object(_ fields: [TypePlan.Field], _ container: KeyedDecodingContainer<NamedKey>) throws -> Content {
        var members: [String: Content] = [:]
        for field in fields { members[field.key] = try member(field, container) }
        // Foundation's order is that of a dictionary.
        members["all keys"] = .list(container.allKeys.map(\.stringValue).sorted().map { .string($0) })
        members["path"] = .list(container.codingPath.map { .string($0.stringValue) })
        return .members(members)
    }

    private func member(_ field: TypePlan.Field, _ container: KeyedDecodingContainer<NamedKey>) throws -> Content {
        let key = NamedKey(stringValue: field.key)
        switch (field.access, field.plan) {
        case (.value, .scalar(let scalar)), (.repeated, .scalar(let scalar)): return try scalar.decode(from: container, forKey: key)
        case (.ifPresent, .scalar(let scalar)): return try scalar.decodeIfPresent(from: container, forKey: key) ?? .absent
        case (.ifPresent, let plan):
            return try plans.with(plan) { try container.decodeIfPresent(PlannedValue.self, forKey: key) }?.content ?? .absent
        case (.nested, .object(let fields)): return try object(fields, container.nestedContainer(keyedBy: NamedKey.self, forKey: key))
        case (.nested, .tuple(let elements)): return try tuple(elements, container.nestedUnkeyedContainer(forKey: key))
        case (.nested, .array(let inner, _)): return try array(inner, container.nestedUnkeyedContainer(forKey: key))
        case (.superCoder, let plan):
            return try read(plan, field.key == "super" ? container.superDecoder() : container.superDecoder(forKey: key))
        case (.asked, _) where !container.contains(key): return .absent
        case (.asked, _) where try container.decodeNil(forKey: key): return .null
        case (_, let plan): return try plans.with(plan) { try container.decode(PlannedValue.self, forKey: key) }.content
        }
    }
}

/// `[Value]` at once, which coders treat apart.
private struct WholeArray: ScalarVisitor {
    let container: any SingleValueDecodingContainer

    func visit<Value: Codable>(_ type: Value.Type, _ content: (Value) -> Content) throws -> Content {
        .list(try container.decode([Value].self).map(content))
    }
}

private struct WholeDictionary: ScalarVisitor {
    let container: any SingleValueDecodingContainer

    func visit<Value: Codable>(_ type: Value.Type, _ content: (Value) -> Content) throws -> Content {
        .members(try container.decode([String: Value].self).mapValues(content))
    }
}
