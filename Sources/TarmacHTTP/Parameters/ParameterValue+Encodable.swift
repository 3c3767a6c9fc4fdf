// ParameterEncoder takes both types as they are. Every other encoder receives an ordinary object or value.

extension ParameterValue: Encodable {
    public func encode(to encoder: any Encoder) throws {
        if let node = encoder as? ParameterNode { return node.adopt(self) }
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .uint(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(ParameterList(members))
        }
    }
}

extension ParameterList: Encodable {
    public func encode(to encoder: any Encoder) throws {
        if let node = encoder as? ParameterNode { return try node.adopt(self) }
        try validate()
        var container = encoder.container(keyedBy: ParameterKey.self)
        for parameter in self { try container.encode(parameter.value, forKey: ParameterKey(parameter.name)) }
    }
}
