public import Foundation

// Apart from the rest, because formatters are what the smaller FoundationEssentials lacks.

extension TarmacJSONDecoder.DateDecodingStrategy {
    /// A string as `formatter` reads it; the formatter must not be changed afterwards.
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
    /// A string as `formatter` writes it; the formatter must not be changed afterwards.
    public static func formatted(_ formatter: DateFormatter) -> Self {
        .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(formatter.string(from: date))
        }
    }
}
