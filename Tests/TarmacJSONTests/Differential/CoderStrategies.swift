import Foundation

#if canImport(TarmacJSON)
@testable import TarmacJSON
#endif

/// Settings of the coders, and the same ones for both.
struct CoderStrategies {
    enum Keys: CaseIterable { case standard, snake, custom }
    enum Dates: CaseIterable { case deferred, seconds, milliseconds, iso8601, formatted, custom }
    enum Bytes: CaseIterable { case base64, deferred, custom }
    enum Floats: CaseIterable { case refused, strings }

    var keys = Keys.standard
    var dates = Dates.deferred
    var bytes = Bytes.base64
    var floats = Floats.refused
    var isPretty = false
    var escapesSlashes = true

    /// What stands for infinities and NaN.
    static let infinity = "+\u{221E}", minusInfinity = "-inf", nan = "NaN"
    static let dateFormat = "yyyy-MM-dd HH:mm:ss"

    init() {}

    init(_ random: inout SeededGenerator) {
        keys = random.pick(Keys.allCases)
        dates = random.pick(Dates.allCases)
        bytes = random.pick(Bytes.allCases)
        floats = random.pick(Floats.allCases)
        isPretty = random.bool()
        escapesSlashes = random.bool()
    }

    /// Custom keys begin with the length of their path.
    static func customKey(_ key: String, pathCount: Int) -> String { "\(pathCount % 10).\(key)" }

    @Sendable static func readKey(_ path: [any CodingKey]) -> any CodingKey {
        let name = path.last?.stringValue ?? ""
        let prefix = "\(path.count % 10)."
        return NamedKey(stringValue: name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name)
    }

    @Sendable static func writtenKey(_ path: [any CodingKey]) -> any CodingKey {
        NamedKey(stringValue: customKey(path.last?.stringValue ?? "", pathCount: path.count))
    }

    static var formatter: DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = dateFormat
        return formatter
    }
}

// MARK: Values written by closures

extension CoderStrategies {
    private struct Moment: Codable { var seconds: Double }

    @Sendable static func readDate(_ decoder: any Decoder) throws -> Date {
        Date(timeIntervalSince1970: try Moment(from: decoder).seconds)
    }

    @Sendable static func write(_ date: Date, _ encoder: any Encoder) throws {
        // A closure may write nothing.
        if date == .distantPast { return }
        try Moment(seconds: date.timeIntervalSince1970).encode(to: encoder)
    }

    @Sendable static func readBytes(_ decoder: any Decoder) throws -> Data {
        var container = try decoder.unkeyedContainer()
        return Data(try container.decode(String.self).utf8) + Data([try container.decode(UInt8.self)])
    }

    @Sendable static func write(_ data: Data, _ encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(String(decoding: data.dropLast(), as: UTF8.self))
        try container.encode(data.last)
    }
}
