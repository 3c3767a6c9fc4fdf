#if Tools
import Tarmac
import TarmacJSON

/// `name=value` and `name:=json` become parameters.
enum FieldArgument {
    /// A field of the body, or of the query where the method has no body.
    static func field(_ text: String) throws(TarmacError) -> Parameter {
        let (name, value) = try split(text, "name=value or name:=json")
        guard name.last == ":" else { return Parameter(name, .string(value)) }
        let field = String(name.dropLast())
        return Parameter(field, try Self.value(try json(value, in: text), of: field))
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

    private static func json(_ value: String, in text: String) throws(TarmacError) -> JSON {
        do {
            return try JSONDocument(value).root
        } catch {
            throw TarmacError(
                .invalidParameter, "what follows := in \"\(shown(text))\" is not JSON",
                suggestion: "write \(name(text))=… for plain text, or quote strings twice: '\(name(text)):=\"text\"'", cause: error)
        }
    }

    private static func value(_ json: JSON, of path: String) throws(TarmacError) -> ParameterValue {
        switch json.kind {
        case .null, nil: return .null
        case .bool: return .bool(json.bool ?? false)
        case .number: return try number(json, path)
        case .string: return .string(json.string ?? "")
        case .array:
            var values: [ParameterValue] = []
            for element in json.elements { values.append(try value(element, of: "\(path)[\(values.count)]")) }
            return .array(values)
        case .object:
            var members: [Parameter] = []
            for member in json.members { members.append(Parameter(member.key, try value(member.value, of: "\(path).\(member.key)"))) }
            return .object(members)
        }
    }

    private static func number(_ json: JSON, _ path: String) throws(TarmacError) -> ParameterValue {
        if let value = NumberArgument.value(json) { return value }
        throw TarmacError(
            .invalidParameter, "the number \(path) has more digits or a greater exponent than can be sent unchanged",
            suggestion: "write the whole body with --data, which sends it as it is, or send it as a string", path: path)
    }

    private static func name(_ text: String) -> String { String(text.prefix { $0 != ":" && $0 != "=" }) }

    /// Only the name: the value may be a secret.
    private static func shown(_ text: String) -> String {
        guard let equals = text.firstIndex(of: "=") else { return String(text.prefix(60)) }
        return "\(text[...equals].prefix(60))…"
    }
}
#endif
