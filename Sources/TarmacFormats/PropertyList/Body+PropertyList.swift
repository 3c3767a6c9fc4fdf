#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacCore

extension Body {
    /// A body with a value as a property list, sent as `application/x-plist`.
    ///
    /// ```swift
    /// func body() throws -> Body? { try .propertyList(manifest, format: .binary) }
    /// ```
    /// - Parameters:
    ///   - value: the value. Foundation's `PropertyListEncoder` encodes it.
    ///   - format: XML or binary. Default: XML.
    /// - Throws: `TarmacError(.invalidParameter)` if the value cannot be a property list. An array must not contain `nil`, and the
    ///   top value must not be a string or a number.
    public static func propertyList(
        _ value: some Encodable, format: PropertyListDecoder.PropertyListFormat = .xml
    ) throws(TarmacError) -> Body {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        return try .propertyList { () throws in try encoder.encode(value) }
    }

    /// A body with parameters as a property list. Members that are `nil` are left out, because property lists have no null.
    static func propertyList(_ value: ParameterValue) throws(TarmacError) -> Body {
        let plain = try value.withoutNulls(named: nil)
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        return try .propertyList { () throws in try encoder.encode(plain) }
    }

    private static func propertyList(_ encode: () throws -> Data) throws(TarmacError) -> Body {
        do { return .data(try encode(), contentType: "application/x-plist") } catch {
            throw error as? TarmacError
                // The encoder's message may quote a value.
                ?? TarmacError(.invalidParameter, "the body is no property list: PropertyListEncoder threw \(type(of: error))", cause: error)
        }
    }
}

extension ParameterValue {
    fileprivate func withoutNulls(named name: String?) throws(TarmacError) -> ParameterValue {
        switch self {
        case .object(let members):
            var kept: [Parameter] = []
            for var member in members where !member.value.isNull {
                member.value = try member.value.withoutNulls(named: member.name)
                kept.append(member)
            }
            return .object(kept)
        case .array(let elements):
            var kept: [ParameterValue] = []
            for element in elements { kept.append(try element.withoutNulls(named: name)) }
            return .array(kept)
        case .null:
            throw TarmacError(
                .invalidParameter, "a property list has no null, and the array \(name ?? "of the body") holds one",
                suggestion: "leave it out of the array", path: name)
        default: return self
        }
    }
}
