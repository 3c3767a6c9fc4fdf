extension JSON: Codable {
    /// Decodes any value with any decoder. ``TarmacJSONDecoder`` returns the place in its document without copying.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? any DocumentBacked {
            self = decoder.json
            return
        }
        if StackLimit().isUsedUp {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "The values are nested too deep for this thread's stack."))
        }
        if let container = try? decoder.container(keyedBy: AnyCodingKey.self) {
            var members = MemberList()
            for key in container.allKeys {
                members[key.stringValue] = try container.decode(JSON.self, forKey: key)
            }
            self.init(.object(members))
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSON] = []
            while !container.isAtEnd { elements.append(try container.decode(JSON.self)) }
            self.init(.array(elements))
        } else {
            self = try JSON(scalar: decoder.singleValueContainer())
        }
    }

    private init(scalar container: any SingleValueDecodingContainer) throws {
        if container.decodeNil() {
            self.init(.null)
        } else if let value = try? container.decode(Bool.self) {
            self.init(value)
        } else if let value = try? container.decode(Int64.self) {
            self.init(value)
        } else if let value = try? container.decode(UInt64.self) {
            self.init(value)
        } else if let value = try? container.decode(Double.self) {
            self.init(value)
        } else {
            self.init(try container.decode(String.self))
        }
    }

    /// Encodes the value with any encoder. ``TarmacJSONEncoder`` copies the text of values in a document. A missing
    /// value becomes null. If a key repeats, its first value is encoded.
    /// - Throws: `EncodingError` for a number that no 64-bit integer, `Double` or `Decimal` holds exactly, because
    ///   other encoders have no other numbers.
    public func encode(to encoder: any Encoder) throws {
        if StackLimit().isUsedUp {
            throw EncodingError.invalidValue(
                self, .init(codingPath: encoder.codingPath, debugDescription: "The values are nested too deep for this thread's stack."))
        }
        switch kind {
        case .object:
            var container = encoder.container(keyedBy: AnyCodingKey.self)
            var seen: Set<ScalarText> = []
            // Most encoders keep the last of equal keys.
            for (key, value) in members where seen.insert(ScalarText(key)).inserted {
                try container.encode(value, forKey: AnyCodingKey(key))
            }
        case .array:
            var container = encoder.unkeyedContainer()
            for value in elements { try container.encode(value) }
        default:
            var container = encoder.singleValueContainer()
            try encodeScalar(to: &container)
        }
    }

    private func encodeScalar(to container: inout any SingleValueEncodingContainer) throws {
        if let value = bool {
            try container.encode(value)
        } else if let value = string {
            try container.encode(value)
        } else if let value = int64 {
            try container.encode(value)
        } else if let value = uint64 {
            try container.encode(value)
        } else if case .double(let value) = node {
            try container.encode(value)
        } else if let text = numberText {
            try encode(number: text, to: &container)
        } else {
            try container.encodeNil()
        }
    }

    /// Encodes a `Double` if it is exact, because some encoders write a `Decimal` as a structure.
    private func encode(number text: String, to container: inout any SingleValueEncodingContainer) throws {
        if let value = double, value.description.withText({ NumberParts($0) }) == text.withText({ NumberParts($0) }) {
            try container.encode(value)
        } else if let value = decimal {
            try container.encode(value)
        } else {
            throw EncodingError.invalidValue(
                self,
                .init(
                    codingPath: container.codingPath,
                    debugDescription: "The number has more digits or a larger exponent than this encoder can be given; TarmacJSONEncoder writes it as it is."))
        }
    }
}
