public import Foundation

// In a file of its own, because the smaller FoundationEssentials has no formatters.

extension TarmacJSONDecoder.DateDecodingStrategy {
    /// Returns a strategy that reads strings with `formatter`, which must not change afterwards.
    public static func formatted(_ formatter: DateFormatter) -> Self {
        .custom { decoder in
            let container = try decoder.singleValueContainer()
            if let date = formatter.date(from: try container.decode(String.self)) { return date }
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "Date string does not match format expected by formatter.")
        }
    }
}

extension TarmacJSONEncoder.DateEncodingStrategy {
    /// Returns a strategy that writes strings with `formatter`, which must not change afterwards.
    public static func formatted(_ formatter: DateFormatter) -> Self {
        .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(formatter.string(from: date))
        }
    }
}
