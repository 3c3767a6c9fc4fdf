import Foundation

/// What a value of a generated type holds. Floating-point numbers are equal when their bits are.
indirect enum Content: Equatable, Sendable {
    struct Bits<Value: BitPatterned & Sendable>: Equatable, Sendable {
        var value: Value

        init(_ value: Value) { self.value = value }

        static func == (left: Self, right: Self) -> Bool { left.value.bits == right.value.bits }
    }

    case null, absent
    case bool(Bool), string(String), double(Bits<Double>), float(Bits<Float>)
    case int(Int), int8(Int8), int16(Int16), int32(Int32), int64(Int64)
    case uint(UInt), uint8(UInt8), uint16(UInt16), uint32(UInt32), uint64(UInt64)
    case date(Bits<Date>), data(Data), url(URL), decimal(Decimal), colour(Colour), level(Level), ratio(Ratio)
    case list([Content]), members([String: Content]), any(Tree)

    static func double(_ value: Double) -> Content { .double(Bits(value)) }
    static func float(_ value: Float) -> Content { .float(Bits(value)) }
    static func date(_ value: Date) -> Content { .date(Bits(value)) }
}

protocol BitPatterned {
    var bits: UInt64 { get }
}

extension Double: BitPatterned {
    var bits: UInt64 { bitPattern }
}

extension Float: BitPatterned {
    var bits: UInt64 { UInt64(bitPattern) }
}

extension Date: BitPatterned {
    var bits: UInt64 { timeIntervalSinceReferenceDate.bitPattern }
}
