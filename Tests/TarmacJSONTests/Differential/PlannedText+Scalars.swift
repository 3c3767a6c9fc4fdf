import Foundation

extension PlannedText {
    mutating func text(_ scalar: TypePlan.Scalar) -> String {
        switch scalar {
        case .bool: pick(["true", "false"])
        case .string: texts.string()
        case .double, .float: floating(scalar)
        case .int: integer(Int.self)
        case .int8: integer(Int8.self)
        case .int16: integer(Int16.self)
        case .int32: integer(Int32.self)
        case .int64: integer(Int64.self)
        case .uint: integer(UInt.self)
        case .uint8: integer(UInt8.self)
        case .uint16: integer(UInt16.self)
        case .uint32: integer(UInt32.self)
        case .uint64: integer(UInt64.self)
        case .date: date()
        case .data: bytes()
        case .url:
            pick([
                "\"https://api.example/a/b?c=d#e\"", "\"/relative\"", "\"mailto:a@b.example\"", "\"http:\\/\\/h.example\"", "\"\"", "\"a b\"",
                "\"中\"",
            ])
        case .decimal: decimal()
        case .colour: pick(["\"red\"", "\"GREEN\"", "\"bl\\u00e9u\"", "\"red\"", "\"RED\""])
        case .level: pick(["-1", "0", "100000", "1e5", "0.0", "0", "1"])
        case .ratio: pick(["0.5", "0.333333333333333", "10", "1e1", "10.0", "0.3"])
        }
    }

    private mutating func pick(_ texts: [String]) -> String { self.texts.random.pick(texts) }

    private mutating func integer<T: FixedWidthInteger>(_ type: T.Type) -> String {
        switch texts.random.upTo(24) {
        case 0: String(T.max)
        case 1: String(T.min)
        case 2: pick(["1.0", "1e2", "1.20e1", "120e-1", "0e5", "-0", "0.0", "1E0"])
        case 3: pick(["\(T.max)0", "-1", "1.5", "1e-1", "1e30", "256", "-129", "\"1\""])
        default: String(T(truncatingIfNeeded: texts.random.next() >> UInt64(texts.random.upTo(64))))
        }
    }

    private mutating func floating(_ scalar: TypePlan.Scalar) -> String {
        switch texts.random.upTo(12) {
        case 0: return pick(["\"\(CoderStrategies.infinity)\"", "\"\(CoderStrategies.minusInfinity)\"", "\"\(CoderStrategies.nan)\"", "\"inf\""])
        case 1, 2: return texts.number()
        case 3: return pick(["1e39", "3.4028235e38", "-0.0", "-0", "16777217", "9007199254740993", "0.1", "1.4e-45", "1e-300", "1e-40"])
        default:
            if scalar == .float { return Float.random(in: -1e4...1e4, using: &texts.random).description }
            return Double.random(in: -1e9...1e9, using: &texts.random).description
        }
    }

    private mutating func date() -> String {
        switch strategies.dates {
        case .deferred, .seconds, .milliseconds: return texts.random.once(in: 10) ? texts.number() : String(texts.random.upTo(2_000_000_000))
        case .iso8601:
            return pick([
                "\"2026-01-31T12:00:00Z\"", "\"1999-12-31T23:59:59+02:00\"", "\"2024-02-29T00:00:00-0530\"", "\"2026-01-31T12:00:00.250Z\"",
                "\"2026-02-30T12:00:00Z\"", "\"2026-01-31\"", "\"0001-01-01T00:00:00Z\"",
            ])
        case .formatted: return pick(["\"2026-01-31 12:00:00\"", "\"1969-07-20 20:17:40\"", "\"2026-01-31T12:00:00Z\"", "\"\""])
        case .custom: return pick(["{\"seconds\":\(texts.random.upTo(1_000_000))}", "{\"seconds\":0.5}", "{\"seconds\":-62135769600}", "{}"])
        }
    }

    private mutating func bytes() -> String {
        switch strategies.bytes {
        case .base64: pick(["\"\"", "\"AA==\"", "\"aGVsbG8=\"", "\"\\/+8=\"", "\"a\"", "\"aGVs bG8=\"", "\"aGVsbG8\"", "\"aGVsbG8gd29ybGQgYWdhaW4=\""])
        case .deferred: pick(["[]", "[0]", "[1,2,255]", "[1,256]", "[104,101,108,108,111]"])
        case .custom: pick(["[\"abc\",7]", "[\"\",0]", "[\"\u{E9}\",255]", "[\"abc\"]", "[\"abc\",7,8]"])
        }
    }

    private mutating func decimal() -> String {
        pick([
            texts.number(), "0.1", "-12345678901234567890.123456789", "1e-5", "0.000000000000000001", "12e3", "99999999999999999999999999999999999999",
            "\(texts.random.upTo(100_000)).\(texts.random.upTo(100))", "1.10",
        ])
    }
}
