import Foundation

// Each scalar through the method the compiler calls for it; false for what is none.
extension Content {
    func encode(to container: inout any SingleValueEncodingContainer) throws -> Bool {
        switch self {
        case .bool(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .double(let bits): try container.encode(bits.value)
        case .float(let bits): try container.encode(bits.value)
        case .int(let value): try container.encode(value)
        case .int8(let value): try container.encode(value)
        case .int16(let value): try container.encode(value)
        case .int32(let value): try container.encode(value)
        case .int64(let value): try container.encode(value)
        case .uint(let value): try container.encode(value)
        case .uint8(let value): try container.encode(value)
        case .uint16(let value): try container.encode(value)
        case .uint32(let value): try container.encode(value)
        case .uint64(let value): try container.encode(value)
        case .date(let bits): try container.encode(bits.value)
        case .data(let value): try container.encode(value)
        case .url(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .colour(let value): try container.encode(value)
        case .level(let value): try container.encode(value)
        case .ratio(let value): try container.encode(value)
        default: return false
        }
        return true
    }

    func encode(to container: inout any UnkeyedEncodingContainer) throws -> Bool {
        switch self {
        case .bool(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .double(let bits): try container.encode(bits.value)
        case .float(let bits): try container.encode(bits.value)
        case .int(let value): try container.encode(value)
        case .int8(let value): try container.encode(value)
        case .int16(let value): try container.encode(value)
        case .int32(let value): try container.encode(value)
        case .int64(let value): try container.encode(value)
        case .uint(let value): try container.encode(value)
        case .uint8(let value): try container.encode(value)
        case .uint16(let value): try container.encode(value)
        case .uint32(let value): try container.encode(value)
        case .uint64(let value): try container.encode(value)
        case .date(let bits): try container.encode(bits.value)
        case .data(let value): try container.encode(value)
        case .url(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .colour(let value): try container.encode(value)
        case .level(let value): try container.encode(value)
        case .ratio(let value): try container.encode(value)
        default: return false
        }
        return true
    }

    func encode(to container: inout KeyedEncodingContainer<NamedKey>, forKey key: NamedKey) throws -> Bool {
        switch self {
        case .bool(let value): try container.encode(value, forKey: key)
        case .string(let value): try container.encode(value, forKey: key)
        case .double(let bits): try container.encode(bits.value, forKey: key)
        case .float(let bits): try container.encode(bits.value, forKey: key)
        case .int(let value): try container.encode(value, forKey: key)
        case .int8(let value): try container.encode(value, forKey: key)
        case .int16(let value): try container.encode(value, forKey: key)
        case .int32(let value): try container.encode(value, forKey: key)
        case .int64(let value): try container.encode(value, forKey: key)
        case .uint(let value): try container.encode(value, forKey: key)
        case .uint8(let value): try container.encode(value, forKey: key)
        case .uint16(let value): try container.encode(value, forKey: key)
        case .uint32(let value): try container.encode(value, forKey: key)
        case .uint64(let value): try container.encode(value, forKey: key)
        case .date(let bits): try container.encode(bits.value, forKey: key)
        case .data(let value): try container.encode(value, forKey: key)
        case .url(let value): try container.encode(value, forKey: key)
        case .decimal(let value): try container.encode(value, forKey: key)
        case .colour(let value): try container.encode(value, forKey: key)
        case .level(let value): try container.encode(value, forKey: key)
        case .ratio(let value): try container.encode(value, forKey: key)
        default: return false
        }
        return true
    }

    func encodeIfPresent(to container: inout KeyedEncodingContainer<NamedKey>, forKey key: NamedKey) throws -> Bool {
        switch self {
        case .bool(let value): try container.encodeIfPresent(value as Bool?, forKey: key)
        case .string(let value): try container.encodeIfPresent(value as String?, forKey: key)
        case .double(let bits): try container.encodeIfPresent(bits.value as Double?, forKey: key)
        case .float(let bits): try container.encodeIfPresent(bits.value as Float?, forKey: key)
        case .int(let value): try container.encodeIfPresent(value as Int?, forKey: key)
        case .int8(let value): try container.encodeIfPresent(value as Int8?, forKey: key)
        case .int16(let value): try container.encodeIfPresent(value as Int16?, forKey: key)
        case .int32(let value): try container.encodeIfPresent(value as Int32?, forKey: key)
        case .int64(let value): try container.encodeIfPresent(value as Int64?, forKey: key)
        case .uint(let value): try container.encodeIfPresent(value as UInt?, forKey: key)
        case .uint8(let value): try container.encodeIfPresent(value as UInt8?, forKey: key)
        case .uint16(let value): try container.encodeIfPresent(value as UInt16?, forKey: key)
        case .uint32(let value): try container.encodeIfPresent(value as UInt32?, forKey: key)
        case .uint64(let value): try container.encodeIfPresent(value as UInt64?, forKey: key)
        case .date(let bits): try container.encodeIfPresent(bits.value as Date?, forKey: key)
        case .data(let value): try container.encodeIfPresent(value as Data?, forKey: key)
        case .url(let value): try container.encodeIfPresent(value as URL?, forKey: key)
        case .decimal(let value): try container.encodeIfPresent(value as Decimal?, forKey: key)
        case .colour(let value): try container.encodeIfPresent(value as Colour?, forKey: key)
        case .level(let value): try container.encodeIfPresent(value as Level?, forKey: key)
        case .ratio(let value): try container.encodeIfPresent(value as Ratio?, forKey: key)
        default: return false
        }
        return true
    }
}
