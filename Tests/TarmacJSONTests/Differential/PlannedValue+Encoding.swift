extension PlannedValue: Encodable {
    func encode(to encoder: any Encoder) throws {
        switch (plan, content) {
        case (.array(let inner, isWhole: true), .list(let elements)):
            var container = encoder.singleValueContainer()
            try container.encode(elements.map { PlannedValue(plan: inner, content: $0) })
        case (.array(let inner, isWhole: false), .list(let elements)):
            try PlanWriter.write(elements.map { ($0, .init(plan: inner, access: .value)) }, to: encoder.unkeyedContainer())
        case (.tuple(let plans), .list(let elements)): try PlanWriter.write(Array(zip(elements, plans)), to: encoder.unkeyedContainer())
        case (.dictionary(let inner), .members(let members)):
            var container = encoder.singleValueContainer()
            try container.encode(members.mapValues { PlannedValue(plan: inner, content: $0) })
        case (.numbered(let inner), .members(let members)):
            var container = encoder.singleValueContainer()
            try container.encode(
                Dictionary(uniqueKeysWithValues: members.map { (Int($0.key) ?? 0, PlannedValue(plan: inner, content: $0.value)) }))
        case (.object(let fields), .members(let members)):
            try PlanWriter.write(fields, members, to: encoder.container(keyedBy: NamedKey.self))
        case (.optional(let inner, isWhole: true), let content):
            var container = encoder.singleValueContainer()
            try container.encode(content == .null ? nil : PlannedValue(plan: inner, content: content))
        case (.optional(let inner, isWhole: false), let content) where content != .null:
            try PlannedValue(plan: inner, content: content).encode(to: encoder)
        case (.lenient(let inner), let content) where !content.isLeftOut: try PlannedValue(plan: inner, content: content).encode(to: encoder)
        case (_, .any(let tree)): try tree.encode(to: encoder)
        default:
            var container = encoder.singleValueContainer()
            if try !content.encode(to: &container) { try container.encodeNil() }
        }
    }
}

extension Content {
    fileprivate var isLeftOut: Bool {
        if case .list(let parts) = self, parts.first == .absent { true } else { self == .absent }
    }
}

/// Writes members and elements as their plans say.
private enum PlanWriter {
    static func write(_ elements: [(Content, TypePlan.Element)], to container: any UnkeyedEncodingContainer) throws {
        var container = container
        for (content, element) in elements {
            switch (element.access, element.plan, content) {
            case (.value, .scalar, _), (.ifPresent, .scalar, _), (.asked, .scalar, _):
                if try !content.encode(to: &container) { try container.encodeNil() }
            case (.nested, .object(let fields), .members(let members)):
                try write(fields, members, to: container.nestedContainer(keyedBy: NamedKey.self))
            case (.nested, .tuple(let plans), .list(let parts)): try write(Array(zip(parts, plans)), to: container.nestedUnkeyedContainer())
            case (.superCoder, let plan, _): try PlannedValue(plan: plan, content: content).encode(to: container.superEncoder())
            case (_, _, .null): try container.encodeNil()
            case (_, let plan, _): try container.encode(PlannedValue(plan: plan, content: content))
            }
        }
    }

    static func write(_ fields: [TypePlan.Field], _ members: [String: Content], to container: KeyedEncodingContainer<NamedKey>) throws {
        var container = container
        // A nested container may be written to after its siblings.
        var later: [() throws -> Void] = []
        for field in fields {
            let key = NamedKey(stringValue: field.key)
            let content = members[field.key] ?? .absent
            switch (field.access, field.plan, content) {
            case (.value, .scalar, _), (.asked, .scalar, _):
                if try !content.encode(to: &container, forKey: key) { try container.encodeNil(forKey: key) }
            case (.ifPresent, .scalar, _): _ = try content.encodeIfPresent(to: &container, forKey: key)
            case (.ifPresent, let plan, _):
                try container.encodeIfPresent(content == .absent ? nil : PlannedValue(plan: plan, content: content), forKey: key)
            case (.nested, .object(let inner), .members(let parts)):
                // Half of the members go to a container that is asked for again; the others into one, or into a whole value.
                let (first, rest) = (Array(inner.prefix(inner.count / 2)), Array(inner.dropFirst(inner.count / 2)))
                if inner.count % 3 == 2 {
                    try container.encode(PlannedValue(plan: .object(first), content: content), forKey: key)
                } else {
                    let nested = container.nestedContainer(keyedBy: NamedKey.self, forKey: key)
                    later.append { try write(first, parts, to: nested) }
                }
                later.append { try write(rest, parts, to: container.nestedContainer(keyedBy: NamedKey.self, forKey: key)) }
            case (.nested, .tuple(let plans), .list(let parts)):
                let elements = Array(zip(parts, plans))
                try write(Array(elements.prefix(elements.count / 2)), to: container.nestedUnkeyedContainer(forKey: key))
                try write(Array(elements.dropFirst(elements.count / 2)), to: container.nestedUnkeyedContainer(forKey: key))
            case (.superCoder, let plan, _):
                let encoder = field.key == "super" ? container.superEncoder() : container.superEncoder(forKey: key)
                try PlannedValue(plan: plan, content: content).encode(to: encoder)
            case (.repeated, let plan, _):
                try container.encode([1, 2], forKey: key)
                try container.encode(PlannedValue(plan: plan, content: content), forKey: key)
            case (_, _, .null): try container.encodeNil(forKey: key)
            case (_, let plan, _): try container.encode(PlannedValue(plan: plan, content: content), forKey: key)
            }
        }
        for write in later { try write() }
    }
}
