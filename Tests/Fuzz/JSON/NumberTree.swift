import Foundation

/// Any JSON value, each number read as every type that takes it.
indirect enum NumberTree: Decodable {
    case null, bool(Bool), number(Number), string(String), array([NumberTree]), object([String: NumberTree])

    struct Number {
        var double: Double?
        var float: Float?
        var decimal: Decimal?
        var int64: Int64?
        var uint64: UInt64?
        var int8: Int8?

        init?(_ container: any SingleValueDecodingContainer) {
            double = try? container.decode(Double.self)
            float = try? container.decode(Float.self)
            decimal = try? container.decode(Decimal.self)
            int64 = try? container.decode(Int64.self)
            uint64 = try? container.decode(UInt64.self)
            int8 = try? container.decode(Int8.self)
            if double == nil, decimal == nil, int64 == nil { return nil }
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([NumberTree].self) {
            self = .array(value)
        } else if let value = try? container.decode([String: NumberTree].self) {
            self = .object(value)
        } else {
            // What no type holds has no value in either.
            self = Number(container).map { .number($0) } ?? .null
        }
    }

    /// Whether Foundation's values are the same, but for what the table of differences says of numbers.
    func agrees(with other: NumberTree) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.string(let left), .string(let right)): left.unicodeScalars.elementsEqual(right.unicodeScalars)
        case (.number(let left), .number(let right)): left.agrees(with: right)
        // Too small for a Double, and whatever else Foundation reads.
        case (.number(let left), .null): left.double == 0
        case (.array(let left), .array(let right)): left.count == right.count && zip(left, right).allSatisfy { $0.agrees(with: $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count && left.allSatisfy { key, value in right[key].map { value.agrees(with: $0) } ?? false }
        default: false
        }
    }
}

extension NumberTree.Number {
    func agrees(with other: NumberTree.Number) -> Bool {
        // Too small for a Double; of a very small one Foundation makes an integer.
        if double == 0, other.double == nil { return true }
        return double?.bitPattern == other.double?.bitPattern
            && (float?.bitPattern == other.float?.bitPattern || float == 0 && other.float == nil)
            && agree(other.decimal)
            && agree(int64, other.int64) && agree(uint64, other.uint64) && agree(int8, other.int8)
    }

    /// Foundation cuts digits off where here is no value, and knows no zero with a large exponent.
    private func agree(_ there: Decimal?) -> Bool {
        if decimal == there { return true }
        // One at the end of its range, whose digits make up for the exponent, is refused there.
        guard let there else { return decimal.map { $0.isZero || $0.exponent > 100 } ?? true }
        guard decimal == nil, let double else { return false }
        // Its way to a Double rounds at every digit.
        return abs(NSDecimalNumber(decimal: there).doubleValue - double) <= abs(double) * 1e-12
    }

    /// Of digits beyond a Double's Foundation drops the fraction, and refuses what the Double is too large for.
    private func agree<Integer: FixedWidthInteger>(_ here: Integer?, _ there: Integer?) -> Bool {
        if here == there { return true }
        guard let double, double == double.rounded() else { return false }
        if here != nil, there == nil { return Integer(exactly: double) == nil }
        return here == nil && there.map { abs(Double($0) - double) <= double.ulp } == true
    }
}
