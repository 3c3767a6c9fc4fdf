import Foundation

// Each scalar through the method the compiler calls for it: those of the standard library are overloads, not generic.
extension TypePlan.Scalar {
    func decode(from container: any SingleValueDecodingContainer) throws -> Content {
        switch self {
        case .bool: .bool(try container.decode(Bool.self))
        case .string: .string(try container.decode(String.self))
        case .double: .double(try container.decode(Double.self))
        case .float: .float(try container.decode(Float.self))
        case .int: .int(try container.decode(Int.self))
        case .int8: .int8(try container.decode(Int8.self))
        case .int16: .int16(try container.decode(Int16.self))
        case .int32: .int32(try container.decode(Int32.self))
        case .int64: .int64(try container.decode(Int64.self))
        case .uint: .uint(try container.decode(UInt.self))
        case .uint8: .uint8(try container.decode(UInt8.self))
        case .uint16: .uint16(try container.decode(UInt16.self))
        case .uint32: .uint32(try container.decode(UInt32.self))
        case .uint64: .uint64(try container.decode(UInt64.self))
        case .date: .date(try container.decode(Date.self))
        case .data: .data(try container.decode(Data.self))
        case .url: .url(try container.decode(URL.self))
        case .decimal: .decimal(try container.decode(Decimal.self))
        case .colour: .colour(try container.decode(Colour.self))
        case .level: .level(try container.decode(Level.self))
        case .ratio: .ratio(try container.decode(Ratio.self))
        }
    }

    func decode(from container: inout any UnkeyedDecodingContainer) throws -> Content {
        switch self {
        case .bool: .bool(try container.decode(Bool.self))
        case .string: .string(try container.decode(String.self))
        case .double: .double(try container.decode(Double.self))
        case .float: .float(try container.decode(Float.self))
        case .int: .int(try container.decode(Int.self))
        case .int8: .int8(try container.decode(Int8.self))
        case .int16: .int16(try container.decode(Int16.self))
        case .int32: .int32(try container.decode(Int32.self))
        case .int64: .int64(try container.decode(Int64.self))
        case .uint: .uint(try container.decode(UInt.self))
        case .uint8: .uint8(try container.decode(UInt8.self))
        case .uint16: .uint16(try container.decode(UInt16.self))
        case .uint32: .uint32(try container.decode(UInt32.self))
        case .uint64: .uint64(try container.decode(UInt64.self))
        case .date: .date(try container.decode(Date.self))
        case .data: .data(try container.decode(Data.self))
        case .url: .url(try container.decode(URL.self))
        case .decimal: .decimal(try container.decode(Decimal.self))
        case .colour: .colour(try container.decode(Colour.self))
        case .level: .level(try container.decode(Level.self))
        case .ratio: .ratio(try container.decode(Ratio.self))
        }
    }

    func decode(from container: KeyedDecodingContainer<NamedKey>, forKey key: NamedKey) throws -> Content {
        switch self {
        case .bool: .bool(try container.decode(Bool.self, forKey: key))
        case .string: .string(try container.decode(String.self, forKey: key))
        case .double: .double(try container.decode(Double.self, forKey: key))
        case .float: .float(try container.decode(Float.self, forKey: key))
        case .int: .int(try container.decode(Int.self, forKey: key))
        case .int8: .int8(try container.decode(Int8.self, forKey: key))
        case .int16: .int16(try container.decode(Int16.self, forKey: key))
        case .int32: .int32(try container.decode(Int32.self, forKey: key))
        case .int64: .int64(try container.decode(Int64.self, forKey: key))
        case .uint: .uint(try container.decode(UInt.self, forKey: key))
        case .uint8: .uint8(try container.decode(UInt8.self, forKey: key))
        case .uint16: .uint16(try container.decode(UInt16.self, forKey: key))
        case .uint32: .uint32(try container.decode(UInt32.self, forKey: key))
        case .uint64: .uint64(try container.decode(UInt64.self, forKey: key))
        case .date: .date(try container.decode(Date.self, forKey: key))
        case .data: .data(try container.decode(Data.self, forKey: key))
        case .url: .url(try container.decode(URL.self, forKey: key))
        case .decimal: .decimal(try container.decode(Decimal.self, forKey: key))
        case .colour: .colour(try container.decode(Colour.self, forKey: key))
        case .level: .level(try container.decode(Level.self, forKey: key))
        case .ratio: .ratio(try container.decode(Ratio.self, forKey: key))
        }
    }

    func decodeIfPresent(from container: KeyedDecodingContainer<NamedKey>, forKey key: NamedKey) throws -> Content? {
        switch self {
        case .bool: try container.decodeIfPresent(Bool.self, forKey: key).map { .bool($0) }
        case .string: try container.decodeIfPresent(String.self, forKey: key).map { .string($0) }
        case .double: try container.decodeIfPresent(Double.self, forKey: key).map { .double($0) }
        case .float: try container.decodeIfPresent(Float.self, forKey: key).map { .float($0) }
        case .int: try container.decodeIfPresent(Int.self, forKey: key).map { .int($0) }
        case .int8: try container.decodeIfPresent(Int8.self, forKey: key).map { .int8($0) }
        case .int16: try container.decodeIfPresent(Int16.self, forKey: key).map { .int16($0) }
        case .int32: try container.decodeIfPresent(Int32.self, forKey: key).map { .int32($0) }
        case .int64: try container.decodeIfPresent(Int64.self, forKey: key).map { .int64($0) }
        case .uint: try container.decodeIfPresent(UInt.self, forKey: key).map { .uint($0) }
        case .uint8: try container.decodeIfPresent(UInt8.self, forKey: key).map { .uint8($0) }
        case .uint16: try container.decodeIfPresent(UInt16.self, forKey: key).map { .uint16($0) }
        case .uint32: try container.decodeIfPresent(UInt32.self, forKey: key).map { .uint32($0) }
        case .uint64: try container.decodeIfPresent(UInt64.self, forKey: key).map { .uint64($0) }
        case .date: try container.decodeIfPresent(Date.self, forKey: key).map { .date($0) }
        case .data: try container.decodeIfPresent(Data.self, forKey: key).map { .data($0) }
        case .url: try container.decodeIfPresent(URL.self, forKey: key).map { .url($0) }
        case .decimal: try container.decodeIfPresent(Decimal.self, forKey: key).map { .decimal($0) }
        case .colour: try container.decodeIfPresent(Colour.self, forKey: key).map { .colour($0) }
        case .level: try container.decodeIfPresent(Level.self, forKey: key).map { .level($0) }
        case .ratio: try container.decodeIfPresent(Ratio.self, forKey: key).map { .ratio($0) }
        }
    }

    func decodeIfPresent(from container: inout any UnkeyedDecodingContainer) throws -> Content? {
        switch self {
        case .bool: try container.decodeIfPresent(Bool.self).map { .bool($0) }
        case .string: try container.decodeIfPresent(String.self).map { .string($0) }
        case .double: try container.decodeIfPresent(Double.self).map { .double($0) }
        case .float: try container.decodeIfPresent(Float.self).map { .float($0) }
        case .int: try container.decodeIfPresent(Int.self).map { .int($0) }
        case .int8: try container.decodeIfPresent(Int8.self).map { .int8($0) }
        case .int16: try container.decodeIfPresent(Int16.self).map { .int16($0) }
        case .int32: try container.decodeIfPresent(Int32.self).map { .int32($0) }
        case .int64: try container.decodeIfPresent(Int64.self).map { .int64($0) }
        case .uint: try container.decodeIfPresent(UInt.self).map { .uint($0) }
        case .uint8: try container.decodeIfPresent(UInt8.self).map { .uint8($0) }
        case .uint16: try container.decodeIfPresent(UInt16.self).map { .uint16($0) }
        case .uint32: try container.decodeIfPresent(UInt32.self).map { .uint32($0) }
        case .uint64: try container.decodeIfPresent(UInt64.self).map { .uint64($0) }
        case .date: try container.decodeIfPresent(Date.self).map { .date($0) }
        case .data: try container.decodeIfPresent(Data.self).map { .data($0) }
        case .url: try container.decodeIfPresent(URL.self).map { .url($0) }
        case .decimal: try container.decodeIfPresent(Decimal.self).map { .decimal($0) }
        case .colour: try container.decodeIfPresent(Colour.self).map { .colour($0) }
        case .level: try container.decodeIfPresent(Level.self).map { .level($0) }
        case .ratio: try container.decodeIfPresent(Ratio.self).map { .ratio($0) }
        }
    }
}

/// Something done with a scalar's type, such as reading an array of it.
protocol ScalarVisitor {
    func visit<Value: Codable>(_ type: Value.Type, _ content: (Value) -> Content) throws -> Content
}

extension TypePlan.Scalar {
    func accept(_ visitor: some ScalarVisitor) throws -> Content {
        switch self {
        case .bool: try visitor.visit(Bool.self) { .bool($0) }
        case .string: try visitor.visit(String.self) { .string($0) }
        case .double: try visitor.visit(Double.self) { .double($0) }
        case .float: try visitor.visit(Float.self) { .float($0) }
        case .int: try visitor.visit(Int.self) { .int($0) }
        case .int8: try visitor.visit(Int8.self) { .int8($0) }
        case .int16: try visitor.visit(Int16.self) { .int16($0) }
        case .int32: try visitor.visit(Int32.self) { .int32($0) }
        case .int64: try visitor.visit(Int64.self) { .int64($0) }
        case .uint: try visitor.visit(UInt.self) { .uint($0) }
        case .uint8: try visitor.visit(UInt8.self) { .uint8($0) }
        case .uint16: try visitor.visit(UInt16.self) { .uint16($0) }
        case .uint32: try visitor.visit(UInt32.self) { .uint32($0) }
        case .uint64: try visitor.visit(UInt64.self) { .uint64($0) }
        case .date: try visitor.visit(Date.self) { .date($0) }
        case .data: try visitor.visit(Data.self) { .data($0) }
        case .url: try visitor.visit(URL.self) { .url($0) }
        case .decimal: try visitor.visit(Decimal.self) { .decimal($0) }
        case .colour: try visitor.visit(Colour.self) { .colour($0) }
        case .level: try visitor.visit(Level.self) { .level($0) }
        case .ratio: try visitor.visit(Ratio.self) { .ratio($0) }
        }
    }
}
