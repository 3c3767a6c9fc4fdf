#if Tools
import Foundation
import Tarmac
import TarmacJSON

/// `name=value` and `name:=json` become parameters.
enum FieldArgument {
    /// A field of the body, or of the query where the method has no body.
    static func field(_ text: String) throws(TarmacError) -> Parameter {
        let (name, value) = try split(text, "name=value or name:=json")
        guard name.last == ":" else { return Parameter(name, .string(value)) }
        return Parameter(String(name.dropLast()), try json(value, in: text))
    }

    /// An item of the query, `name=value`.
    static func query(_ text: String) throws(TarmacError) -> Parameter {
        let (name, value) = try split(text, "name=value")
        return Parameter(name, .string(value), placement: .query)
    }

    private static func split(_ text: String, _ form: String) throws(TarmacError) -> (name: String, value: String) {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex, text[..<equals] != ":" else {
            throw TarmacError(
                .invalidParameter, "the argument \"\(shown(text))\" is not of the form \(form)",
                suggestion: "write \(form); quote it for the shell when it holds spaces or brackets")
        }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }

    private static func json(_ value: String, in text: String) throws(TarmacError) -> ParameterValue {
        do {
            return Self.value(try JSONDocument(value).root)
        } catch {
            throw TarmacError(
                .invalidParameter, "what follows := in \"\(shown(text))\" is not JSON",
                suggestion: "write \(name(text))=… for plain text, or quote strings twice: '\(name(text)):=\"text\"'", cause: error)
        }
    }

    static func value(_ json: JSON) -> ParameterValue {
        switch json.kind {
        case .null, nil: .null
        case .bool: .bool(json.bool ?? false)
        case .number: number(json)
        case .string: .string(json.string ?? "")
        case .array: .array(json.elements.map(value))
        case .object: .object(json.members.map { Parameter($0.key, value($0.value)) })
        }
    }

    private static func number(_ json: JSON) -> ParameterValue {
        if let int = json.int64 { return .int(int) }
        if let uint = json.uint64 { return .uint(uint) }
        // A decimal keeps 0.1 what it is.
        if let decimal = json.numberText.flatMap({ Decimal(string: $0, locale: Locale(identifier: "en_US_POSIX")) }) { return .decimal(decimal) }
        return .double(json.double ?? 0)
    }

    private static func name(_ text: String) -> String { String(text.prefix { $0 != ":" && $0 != "=" }) }

    /// Only the name: the value may be a secret.
    private static func shown(_ text: String) -> String {
        guard let equals = text.firstIndex(of: "=") else { return String(text.prefix(60)) }
        return "\(text[...equals].prefix(60))…"
    }
}
#endif
