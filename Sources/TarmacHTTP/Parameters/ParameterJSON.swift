#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ParameterList {
    /// Returns the parameters as one JSON object (RFC 8259), in their order and whatever their placement.
    ///
    /// Data is written in base64, and numbers in their shortest form.
    ///
    /// - Throws: `TarmacError(.invalidParameter)` with the name of the parameter, for a number that is not
    ///   finite, two parameters of the same name, or more than ``ParameterEncoder/depthLimit`` levels.
    package func json(dates: ParameterDateStrategy = .iso8601) throws(TarmacError) -> [UInt8] {
        try validate()
        return try ParameterValue.object(Array(self)).json(dates: dates)
    }
}

extension ParameterValue {
    /// Returns the value as JSON (RFC 8259). See ``ParameterList/json(dates:)``.
    package func json(dates: ParameterDateStrategy = .iso8601) throws(TarmacError) -> [UInt8] {
        var writer = ParameterJSONWriter(dates: dates)
        do {
            try writer.write(self, depth: 1)
        } catch {
            throw error.error
        }
        return writer.bytes
    }
}

struct ParameterJSONWriter {
    private let dates: ParameterDateStrategy
    private(set) var bytes: [UInt8] = []

    init(dates: ParameterDateStrategy) {
        self.dates = dates
        bytes.reserveCapacity(128)
    }

    mutating func write(_ value: ParameterValue, depth: Int) throws(ParameterFault) {
        if let reason = value.fault { throw ParameterFault([String](), reason) }
        switch value {
        case .null: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .int(let value): append(String(value))
        case .uint(let value): append(String(value))
        case .double(let value): append(ParameterText.text(value))
        case .decimal(let value): append(value.description)
        case .string(let value): writeString(value)
        case .date(let value): try write(dates.value(of: value), depth: depth)
        case .data(let value): writeString(value.base64EncodedString())
        case .array(let values): try write(values, depth: depth)
        case .object(let members): try write(members, depth: depth)
        }
    }

    private mutating func write(_ values: [ParameterValue], depth: Int) throws(ParameterFault) {
        try checkDepth(depth)
        bytes.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            do {
                try write(value, depth: depth + 1)
            } catch {
                throw ParameterFault(["[\(index)]"] + error.path, error.reason)
            }
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func write(_ members: [Parameter], depth: Int) throws(ParameterFault) {
        try checkDepth(depth)
        try ParameterDuplicates.refuseNamesakes(in: members)
        bytes.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if let failure = member.failure { throw ParameterFault([member.name], failure.reason) }
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            writeString(member.name)
            bytes.append(UInt8(ascii: ":"))
            do {
                try write(member.value, depth: depth + 1)
            } catch {
                throw ParameterFault([member.name] + error.path, error.reason)
            }
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private func checkDepth(_ depth: Int) throws(ParameterFault) {
        if depth > ParameterEncoder.depthLimit { throw ParameterFault([String](), ParameterFault.tooDeep) }
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    // MARK: Strings (RFC 8259 §7)

    private mutating func writeString(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            for byte in utf8 {
                if Self.isPlain(byte) { bytes.append(byte) } else { writeEscape(byte) }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private mutating func writeEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x08: append("\\b")
        case 0x09: append("\\t")
        case 0x0A: append("\\n")
        case 0x0C: append("\\f")
        case 0x0D: append("\\r")
        default: append(byte < 0x10 ? "\\u000" : "\\u001"); append(String(byte & 15, radix: 16))
        }
    }
}
