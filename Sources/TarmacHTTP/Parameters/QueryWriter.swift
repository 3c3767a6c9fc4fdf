/// Writes the parameters in one pass. Names grow and shrink on a stack of bytes, and pairs are appended to the
/// result.
struct QueryWriter {
    private let strategies: QueryEncoder
    private let syntax: QuerySyntax
    private var bytes: [UInt8] = []
    /// The encoded name of the current value.
    private var name: [UInt8] = []

    static func text(
        of parameters: ParameterList, strategies: QueryEncoder, syntax: QuerySyntax
    ) throws(TarmacError) -> String {
        try parameters.validate()
        var writer = QueryWriter(strategies: strategies, syntax: syntax)
        do {
            try writer.writeAll(parameters)
        } catch {
            throw error.error
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private init(strategies: QueryEncoder, syntax: QuerySyntax) {
        self.strategies = strategies
        self.syntax = syntax
    }

    private mutating func writeAll(_ parameters: ParameterList) throws(ParameterFault) {
        bytes.reserveCapacity(32 * parameters.count)
        for parameter in strategies.sortsNames ? parameters.sorted() : parameters {
            if let text = parameter.value.plainText {
                if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
                syntax.append(parameter.name, to: &bytes)
                bytes.append(UInt8(ascii: "="))
                syntax.append(text, to: &bytes)
                continue
            }
            name.removeAll(keepingCapacity: true)
            syntax.append(parameter.name, to: &name)
            try write(parameter, depth: 1)
        }
    }

    // MARK: Values

    private mutating func write(_ parameter: Parameter, depth: Int) throws(ParameterFault) {
        do {
            try write(parameter.value, depth: depth)
        } catch {
            throw ParameterFault([parameter.name] + error.path, error.reason)
        }
    }

    private mutating func write(_ value: ParameterValue, depth: Int) throws(ParameterFault) {
        switch value {
        case .null: writeNull()
        case .array(let elements): try writeArray(elements, depth: depth)
        case .object(let members): try writeObject(members, depth: depth)
        case .date(let date): try write(strategies.dates.value(of: date), depth: depth)
        default: writePair(try text(value) ?? "")
        }
    }

    private mutating func writeObject(_ members: [Parameter], depth: Int) throws(ParameterFault) {
        try checkDepth(depth)
        let length = name.count
        for member in strategies.sortsNames ? Parameter.sorted(members) : members {
            if let failure = member.failure { throw ParameterFault([member.name], failure.reason) }
            pushMember(member.name)
            try write(member, depth: depth + 1)
            name.removeLast(name.count - length)
        }
    }

    private mutating func writeArray(_ elements: [ParameterValue], depth: Int) throws(ParameterFault) {
        try checkDepth(depth)
        switch strategies.arrays {
        case .commaSeparated: try writeJoined(elements, by: syntax.comma)
        case .pipe: try writeJoined(elements, by: Array("%7C".utf8))
        case .repeatKey, .brackets, .indexed:
            let length = name.count
            for (index, element) in elements.enumerated() {
                pushIndex(index, isNested: element.isContainer)
                do {
                    try write(element, depth: depth + 1)
                } catch {
                    throw ParameterFault(["[\(index)]"] + error.path, error.reason)
                }
                name.removeLast(name.count - length)
            }
        }
    }

    private mutating func writeJoined(_ elements: [ParameterValue], by separator: [UInt8]) throws(ParameterFault) {
        var joined: [UInt8] = []
        var isFirst = true
        for element in elements where !(element.isNull && strategies.nils == .omitted) {
            if element.isContainer {
                throw ParameterFault([String](), "an array that holds arrays or objects cannot be joined to one text")
            }
            if !isFirst { joined += separator }
            isFirst = false
            syntax.append(try text(element) ?? "", to: &joined)
        }
        if !isFirst { writePair(encoded: joined) }
    }

    private func text(_ value: ParameterValue) throws(ParameterFault) -> String? {
        try ParameterText.text(value, numericBooleans: strategies.numericBooleans, dates: strategies.dates)
    }

    private func checkDepth(_ depth: Int) throws(ParameterFault) {
        if depth > ParameterEncoder.depthLimit { throw ParameterFault([String](), ParameterFault.tooDeep) }
    }

    // MARK: Names

    private mutating func pushMember(_ member: String) {
        guard strategies.dottedNames else { return pushBracketed(member) }
        name.append(UInt8(ascii: "."))
        syntax.append(member, to: &name)
    }

    private mutating func pushIndex(_ index: Int, isNested: Bool) {
        switch strategies.arrays {
        case .repeatKey where !isNested, .commaSeparated, .pipe: break
        case .brackets: pushBracketed("")
        case .repeatKey, .indexed: pushBracketed(String(index))
        }
    }

    private mutating func pushBracketed(_ text: String) {
        name.append(contentsOf: "%5B".utf8)
        syntax.append(text, to: &name)
        name.append(contentsOf: "%5D".utf8)
    }

    // MARK: Pairs

    private mutating func writeNull() {
        switch strategies.nils {
        case .omitted: break
        case .emptyValue: writePair("")
        case .keyOnly: writeName()
        }
    }

    private mutating func writePair(_ text: String) {
        writeName()
        bytes.append(UInt8(ascii: "="))
        syntax.append(text, to: &bytes)
    }

    private mutating func writePair(encoded text: [UInt8]) {
        writeName()
        bytes.append(UInt8(ascii: "="))
        bytes += text
    }

    private mutating func writeName() {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
        bytes += name
    }
}

extension ParameterValue {
    /// The text of a value that has the same text in every form of a query.
    fileprivate var plainText: String? {
        switch self {
        case .string(let text): text
        case .int(let number): String(number)
        default: nil
        }
    }

    /// Whether the value is an array or an object.
    var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }
}
