#if canImport(TarmacJSON)
@testable import TarmacJSON
#endif

/// Calls of decoders and their containers in an order bytes choose, against the value that is read.
final class DecoderCalls {
    private struct Value: Decodable {
        init(from decoder: any Decoder) throws {
            guard let calls = decoder.userInfo[DecoderCalls.key] as? Box else { return }
            try calls.calls.run(decoder)
        }
    }

    // SAFETY: used by one decoding, on one thread.
    private struct Box: @unchecked Sendable { let calls: DecoderCalls }
    private static let key = CodingUserInfoKey(rawValue: "calls").unsafelyUnwrapped

    private let bytes: CallBytes
    /// What the decoder that is handed out next reads.
    private var next: [PlainJSON]
    private var depth = 0
    private var differences: [String] = []

    private init(_ bytes: CallBytes, _ model: PlainJSON) {
        self.bytes = bytes
        next = [model]
    }

    /// - Returns: the first thing that was read otherwise than it is.
    static func difference(_ bytes: CallBytes) -> String? {
        let model = PlainJSON(bytes)
        let calls = DecoderCalls(bytes, model)
        var decoder = TarmacJSONDecoder()
        decoder.userInfo = [key: Box(calls: calls)]
        do {
            _ = try decoder.decode(Value.self, from: Array(model.text().utf8))
        } catch {
            calls.differences.append("refused: \(error)")
        }
        return calls.differences.first.map { "\($0)\nin \(model.text())" }
    }

    private func expect(_ claim: Bool, _ words: @autoclosure () -> String) {
        if !claim { differences.append(words()) }
    }

    // MARK: Calls

    private func run(_ decoder: any Decoder) throws {
        guard let model = next.popLast() else { return }
        depth += 1
        defer { depth -= 1 }
        for _ in 0..<bytes.next(6) {
            switch bytes.next(3) {
            case 0: try attempt(model.isObject, "an object") { try members(try decoder.container(keyedBy: NamedKey.self), model) }
            case 1: try attempt(model.isArray, "an array") { try elements(try decoder.unkeyedContainer(), model) }
            default: try scalars(try decoder.singleValueContainer(), model)
            }
        }
    }

    /// A call that must succeed if it `isAllowed`, and only then. What went wrong inside is noted there.
    private func attempt(_ isAllowed: Bool, _ what: String, _ call: () throws -> Void) throws {
        do {
            try call()
            expect(isAllowed, "\(what) that is none")
        } catch {
            expect(!isAllowed && error is DecodingError, "\(what) that was refused: \(error)")
        }
    }

    private func read<T: Decodable & Equatable>(_ expected: T?, _ decode: () throws -> T) throws {
        try attempt(expected != nil, "\(T.self)") {
            let value = try decode()
            expect(expected == nil || value == expected, "\(value) instead of \(String(describing: expected))")
        }
    }

    private func scalars(_ container: any SingleValueDecodingContainer, _ model: PlainJSON) throws {
        expect(container.decodeNil() == (model == .null), "null")
        try read(model.int) { try container.decode(Int.self) }
        try read(model.string) { try container.decode(String.self) }
        try read(model.bool) { try container.decode(Bool.self) }
        if depth < 8 { try value(model) { _ = try container.decode(Value.self) } }
    }

    private func value(_ model: PlainJSON, _ decode: () throws -> Void) throws {
        let count = next.count
        next.append(model)
        defer { next.removeLast(next.count - count) }
        try attempt(true, "a value", decode)
    }

    private func members(_ container: KeyedDecodingContainer<NamedKey>, _ model: PlainJSON) throws {
        expect(container.allKeys.map(\.stringValue) == model.members.map(\.key), "other keys: \(container.allKeys)")
        for _ in 0..<bytes.next(8) {
            let key = NamedKey(stringValue: bytes.key())
            let member = model[key.stringValue]
            expect(container.contains(key) == (member != nil), "contains \(key.stringValue)")
            switch bytes.next(8) {
            case 0: try read(member?.int) { try container.decode(Int.self, forKey: key) }
            case 1: try read(member?.string) { try container.decode(String.self, forKey: key) }
            case 2: try attempt(member != nil, "a null") { expect(try container.decodeNil(forKey: key) == (member == .null), "null") }
            case 3:
                let isAbsent = member == nil || member == .null
                try attempt(isAbsent || member?.bool != nil, "Bool?") { expect(try container.decodeIfPresent(Bool.self, forKey: key) == member?.bool, "Bool?") }
            case 4:
                try attempt(member?.isObject == true, "a nested object") {
                    try members(try container.nestedContainer(keyedBy: NamedKey.self, forKey: key), member ?? .null)
                }
            case 5:
                try attempt(member?.isArray == true, "a nested array") {
                    try elements(try container.nestedUnkeyedContainer(forKey: key), member ?? .null)
                }
            case 6:
                guard let member else { continue }
                try value(member) { _ = try Value(from: try container.superDecoder(forKey: key)) }
            default:
                guard let member else { continue }
                try value(member) { _ = try container.decode(Value.self, forKey: key) }
            }
        }
    }

    private func elements(_ container: any UnkeyedDecodingContainer, _ model: PlainJSON) throws {
        var container = container
        expect(container.count == model.elements.count, "a count of \(container.count ?? -1)")
        var place = 0
        for _ in 0..<bytes.next(8) {
            expect(container.isAtEnd == (place >= model.elements.count) && container.currentIndex == place, "a place of \(container.currentIndex)")
            let element = model[place]
            switch bytes.next(7) {
            case 0:
                try read(element?.int) { try container.decode(Int.self) }
                if element?.int != nil { place += 1 }
            case 1:
                try read(element?.string) { try container.decode(String.self) }
                if element?.string != nil { place += 1 }
            case 2:
                try attempt(element != nil, "a null") { expect(try container.decodeNil() == (element == .null), "null") }
                if element == .null { place += 1 }
            case 3:
                try attempt(element?.isObject == true, "a nested object") {
                    try members(try container.nestedContainer(keyedBy: NamedKey.self), element ?? .null)
                }
                if element?.isObject == true { place += 1 }
            case 4:
                try attempt(element?.isArray == true, "a nested array") { try elements(try container.nestedUnkeyedContainer(), element ?? .null) }
                if element?.isArray == true { place += 1 }
            case 5:
                guard let element else { continue }
                try value(element) { _ = try Value(from: try container.superDecoder()) }
                place += 1
            default:
                guard let element else { continue }
                try value(element) { _ = try container.decode(Value.self) }
                place += 1
            }
        }
    }
}

extension PlainJSON {
    fileprivate var int: Int? {
        if case .int(let value) = self { value } else { nil }
    }

    fileprivate var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    fileprivate var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }
}
