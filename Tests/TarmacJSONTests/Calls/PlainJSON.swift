#if canImport(TarmacJSON)
@testable import TarmacJSON
#endif

/// A JSON value as plainly as Swift can have it, each key once: what edits and decoding are compared with.
indirect enum PlainJSON: Equatable {
    case null, bool(Bool), int(Int), string(String), array([PlainJSON]), object([Member])

    struct Member: Equatable {
        var key: String
        var value: PlainJSON
    }

    var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    var elements: [PlainJSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    var isArray: Bool {
        if case .array = self { true } else { false }
    }

    var isObject: Bool {
        if case .object = self { true } else { false }
    }

    init(_ bytes: CallBytes, depth: Int = 0) {
        switch depth > 4 ? bytes.next(4) : bytes.next(8) {
        case 0: self = .null
        case 1: self = .bool(bytes.next(2) == 0)
        case 2: self = .int(bytes.next(200) - 100)
        case 3: self = .string(bytes.key())
        case 4, 5: self = .array((0..<bytes.next(5)).map { _ in PlainJSON(bytes, depth: depth + 1) })
        default:
            var members: [Member] = []
            for _ in 0..<bytes.next(5) {
                let key = bytes.key()
                let value = PlainJSON(bytes, depth: depth + 1)
                if !members.contains(where: { $0.key == key }) { members.append(Member(key: key, value: value)) }
            }
            self = .object(members)
        }
    }

    // MARK: Reading

    subscript(key: String) -> PlainJSON? { members.first { $0.key == key }?.value }

    subscript(index: Int) -> PlainJSON? { elements.indices.contains(index) ? elements[index] : nil }

    func text() -> String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .string(let value): EncodedNode.quoted(value)
        case .array(let elements): "[" + elements.map { $0.text() }.joined(separator: ",") + "]"
        case .object(let members): "{" + members.map { EncodedNode.quoted($0.key) + ":" + $0.value.text() }.joined(separator: ",") + "}"
        }
    }

    /// The same, put together in code.
    var built: JSON {
        switch self {
        case .null: .null
        case .bool(let value): JSON(value)
        case .int(let value): JSON(value)
        case .string(let value): JSON(value)
        case .array(let elements): JSON(elements.map(\.built))
        case .object(let members): members.reduce(into: [:]) { $0[$1.key] = $1.value.built }
        }
    }

    // MARK: Editing

    /// Sets, or removes with nil; makes an object of what is none.
    mutating func set(_ key: String, _ value: PlainJSON?) {
        guard let value else {
            if isObject { self = .object(members.filter { $0.key != key }) }
            return
        }
        var members = members
        if let place = members.firstIndex(where: { $0.key == key }) { members[place].value = value } else { members.append(Member(key: key, value: value)) }
        self = .object(members)
    }

    /// Sets, or appends at the end; does nothing beyond, and to what is neither an array nor null.
    mutating func set(_ index: Int, _ value: PlainJSON?) {
        guard let value, isArray || self == .null, (0...elements.count).contains(index) else { return }
        var elements = elements
        if index == elements.count { elements.append(value) } else { elements[index] = value }
        self = .array(elements)
    }

    mutating func append(_ value: PlainJSON) {
        if isArray || self == .null { self = .array(elements + [value]) }
    }

    mutating func remove(at index: Int) {
        guard elements.indices.contains(index) else { return }
        self = .array(elements.enumerated().filter { $0.offset != index }.map(\.element))
    }

    mutating func merge(_ patch: PlainJSON) {
        guard patch.isObject else { return self = patch }
        if !isObject { self = .object([]) }
        for member in patch.members {
            guard member.value != .null else { set(member.key, nil); continue }
            var value = self[member.key] ?? .null
            value.merge(member.value)
            set(member.key, value)
        }
    }
}
