#if canImport(TarmacJSON)
@testable import TarmacJSON
#endif

/// Calls of encoders and their containers in an order bytes choose, in turn or not, and what they must lead to.
final class EncoderCalls {
    struct Refused: Error {}

    /// What was handed out; kept, so that it is used when it is too late as well.
    private enum Place {
        case encoder(any Encoder, EncodedNode)
        case object(KeyedEncodingContainer<NamedKey>, EncodedNode)
        case array(any UnkeyedEncodingContainer, EncodedNode)

        var isFree: Bool {
            switch self {
            case .encoder(_, let node): node.takesValue
            case .object(_, let node), .array(_, let node): node.takesParts
            }
        }
    }

    fileprivate struct Value: Encodable {
        let calls: EncoderCalls
        let node: EncodedNode

        func encode(to encoder: any Encoder) throws {
            calls.depth += 1
            defer {
                calls.depth -= 1
                node.isOpen = false
            }
            try calls.run(encoder, node)
        }
    }

    private let bytes: CallBytes
    private var places: [Place] = []
    private var depth = 0
    /// Something was misused where nothing can be thrown: the encoding as a whole must be refused.
    private var isMisused = false
    /// The root has thrown.
    private var isThrown = false
    private var wasPassedOn = false
    private var differences: [String] = []

    private init(_ bytes: CallBytes) {
        self.bytes = bytes
    }

    /// - Returns: the first thing that went otherwise than it must, if anything did, and the text, unless the calls had to
    ///   be refused.
    static func run(_ bytes: CallBytes) -> (difference: String?, text: String?) {
        let calls = EncoderCalls(bytes)
        var encoder = TarmacJSONEncoder()
        let formatting: [JSON.WritingOptions] = [[], .sortedKeys, .prettyPrinted, [.sortedKeys, .prettyPrinted]]
        encoder.outputFormatting = bytes.pick(formatting)
        let root = EncodedNode([])
        let result = Result { try encoder.encodeBytes(Value(calls: calls, node: root)) }
        calls.judge(result, root, encoder.outputFormatting)
        calls.useAfterTheEnd()
        return (calls.differences.first, (try? result.get()).map { String(decoding: $0, as: UTF8.self) })
    }

    private func judge(_ result: Result<[UInt8], any Error>, _ root: EncodedNode, _ formatting: JSON.WritingOptions) {
        switch result {
        case .failure(let error):
            expect(isMisused || isThrown || root.content == .nothing, "refused: \(error)")
        case .success(let bytes):
            let expected = root.text(isSorted: formatting.contains(.sortedKeys))
            expect(!isMisused && !isThrown && root.content != .nothing, "not refused, though it had to be: \(expected)")
            // What nests deeper than a received text may is written all the same.
            guard let json = try? JSONDocument(bytes, options: .init(depthLimit: .max)).root else {
                return expect(false, "no JSON: \(String(decoding: bytes, as: UTF8.self))")
            }
            let text = formatting.contains(.prettyPrinted) ? json.text([]) : String(decoding: bytes, as: UTF8.self)
            let plain = text.replacing("\\/", with: "/")
            expect(plain == expected.replacing("\\/", with: "/"), "\(text)\ninstead of\n\(expected)")
        }
    }

    private func expect(_ claim: Bool, _ words: @autoclosure () -> String) {
        if !claim { differences.append(words()) }
    }

    // MARK: Calls

    private func run(_ encoder: any Encoder, _ node: EncodedNode) throws {
        places.append(.encoder(encoder, node))
        for _ in 0..<bytes.next(14) { try call() }
        if bytes.next(11) == 1 {
            if depth == 1 { isThrown = true }
            throw Refused()
        }
    }

    private func call() throws {
        if places.count > 3, bytes.next(9) == 1 { places.remove(at: bytes.next(places.count)) }
        guard !places.isEmpty else { return }
        var number = places.count - 1 - bytes.next(min(places.count, 6))
        // What must be refused ends most encodings, so it is rarer than it would be by chance.
        if !places[number].isFree, bytes.next(8) != 1, let free = places.lastIndex(where: \.isFree) { number = free }
        switch places[number] {
        case .encoder(let encoder, let node): try use(encoder, node)
        case .object(let container, let node): try use(container, node)
        case .array(let container, let node): try use(container, node)
        }
    }

    /// A write that must be refused unless it `isAllowed`; sometimes its error goes on.
    private func attempt(_ isAllowed: Bool, _ write: () throws -> Void) throws {
        do {
            try write()
            expect(isAllowed, "a write that had to be refused")
        } catch {
            expect(!isAllowed || error is Refused || wasPassedOn, "a write that was refused: \(error)")
            guard bytes.next(7) == 1 else { return wasPassedOn = false }
            wasPassedOn = true
            if depth == 1 { isThrown = true }
            throw error
        }
    }

    private func use(_ encoder: any Encoder, _ node: EncodedNode) throws {
        if node.isOpen { expect(encoder.codingPath.map(\.stringValue) == node.path, "the path \(encoder.codingPath), not \(node.path)") }
        switch bytes.next(5) {
        case 0:
            let container = encoder.container(keyedBy: NamedKey.self)
            places.append(.object(container, opened(node, .object)))
        case 1:
            let container = encoder.unkeyedContainer()
            places.append(.array(container, opened(node, .array)))
        case 2:
            let isAllowed = node.takesValue
            var single = encoder.singleValueContainer()
            try attempt(isAllowed) {
                try single.encode(7)
                if isAllowed { node.write("7") }
            }
        default:
            let isAllowed = node.takesValue
            let inner = EncodedNode(node.path)
            var single = encoder.singleValueContainer()
            try attempt(isAllowed) {
                try part(of: node) { try single.encode(Value(calls: self, node: inner)) }
                if isAllowed { node.take(inner) }
            }
        }
    }

    private func opened(_ node: EncodedNode, _ kind: EncodedNode.Content) -> EncodedNode {
        if node.open(kind) { return node }
        isMisused = true
        return .closed()
    }

    private func part(of node: EncodedNode, _ encode: () throws -> Void) throws {
        let wasBusy = node.isBusy
        node.isBusy = true
        defer { node.isBusy = wasBusy }
        try encode()
    }

    private func use(_ container: KeyedEncodingContainer<NamedKey>, _ node: EncodedNode) throws {
        var container = container
        if node.isOpen { expect(container.codingPath.map(\.stringValue) == node.path, "the path \(container.codingPath), not \(node.path)") }
        let key = bytes.key()
        let name = NamedKey(stringValue: key)
        switch bytes.next(8) {
        case 0: places.append(.object(container.nestedContainer(keyedBy: NamedKey.self, forKey: name), nested(node, .object, key)))
        case 1: places.append(.array(container.nestedUnkeyedContainer(forKey: name), nested(node, .array, key)))
        case 2: places.append(.encoder(container.superEncoder(forKey: name), above(node, key)))
        case 3:
            // Many that are dropped at once, so that finished ones are put away.
            for _ in 0..<40 { _ = (container.nestedUnkeyedContainer(forKey: NamedKey(stringValue: "many")), nested(node, .array, "many")) }
        default:
            try write(node, key, MemberPlace(container: container, key: name))
        }
    }

    private func use(_ container: any UnkeyedEncodingContainer, _ node: EncodedNode) throws {
        var container = container
        if node.isOpen { expect(container.codingPath.map(\.stringValue) == node.path, "the path \(container.codingPath), not \(node.path)") }
        expect(container.count == (node.isOpen ? node.members.count + (node.isBusy ? 1 : 0) : 0), "a count of \(container.count)")
        switch bytes.next(8) {
        case 0: places.append(.object(container.nestedContainer(keyedBy: NamedKey.self), nested(node, .object, nil)))
        case 1: places.append(.array(container.nestedUnkeyedContainer(), nested(node, .array, nil)))
        case 2: places.append(.encoder(container.superEncoder(), above(node, nil)))
        case 3: for _ in 0..<40 { _ = (container.nestedContainer(keyedBy: NamedKey.self), nested(node, .object, nil)) }
        default: try write(node, nil, ElementPlace(container: container))
        }
    }

    private func nested(_ node: EncodedNode, _ kind: EncodedNode.Content, _ key: String?) -> EncodedNode {
        if node.takesParts { return node.nested(kind, key) }
        isMisused = true
        return .closed()
    }

    private func above(_ node: EncodedNode, _ key: String?) -> EncodedNode {
        guard node.takesParts else {
            isMisused = true
            return .closed()
        }
        let inner = EncodedNode(node.path + [key ?? "Index \(node.members.count)"], isNested: true)
        node.add(inner, key)
        return inner
    }

    private func write(_ node: EncodedNode, _ key: String?, _ place: some PartPlace) throws {
        let isAllowed = node.takesParts
        let inner = EncodedNode(node.path + [key ?? "Index \(node.members.count)"])
        let encode = part(inner)
        try attempt(isAllowed && !isRefusedByItself) {
            isRefusedByItself = false
            try part(of: node) { try encode(place) }
            if isAllowed { node.add(inner, key) }
        }
    }

    /// Chooses what a member or element is. Arrays and dictionaries are written without an encoder of their own.
    private func part(_ inner: EncodedNode) -> (any PartPlace) throws -> Void {
        switch depth > 40 ? 0 : bytes.next(6) {
        case 0:
            inner.write("12")
            return { try $0.encode(12) }
        case 1:
            isRefusedByItself = true
            return { try $0.encode(Double.nan) }
        case 2:
            let elements = (0..<2).map { EncodedNode(inner.path + ["Index \($0)"]) }
            inner.write(.array, elements.map { ("", $0) })
            return { try $0.encode(elements.map { Value(calls: self, node: $0) }) }
        case 3:
            let value = EncodedNode(inner.path + ["k"])
            inner.write(.object, [("k", value)])
            return { try $0.encode(["k": Value(calls: self, node: value)]) }
        default: return { try $0.encode(Value(calls: self, node: inner)) }
        }
    }

    private var isRefusedByItself = false

    /// What stays in somebody's hands is closed, and does no harm.
    private func useAfterTheEnd() {
        for place in places.suffix(20) {
            switch place {
            case .encoder(let encoder, _):
                _ = encoder.container(keyedBy: NamedKey.self)
                expect((try? 1.encode(to: encoder)) == nil, "a write after the end")
            case .object(var container, _):
                _ = (container.nestedUnkeyedContainer(forKey: NamedKey(stringValue: "a")), container.codingPath)
                expect((try? container.encode(1, forKey: NamedKey(stringValue: "a"))) == nil, "a write after the end")
            case .array(var container, _):
                _ = (container.superEncoder(), container.count)
                expect((try? container.encode(1)) == nil, "a write after the end")
            }
        }
    }
}

/// Where a member or element goes.
private protocol PartPlace {
    func encode(_ part: some Encodable) throws
}

private struct MemberPlace: PartPlace {
    let container: KeyedEncodingContainer<NamedKey>
    let key: NamedKey

    func encode(_ part: some Encodable) throws {
        var container = container
        try container.encode(part, forKey: key)
    }
}

private struct ElementPlace: PartPlace {
    let container: any UnkeyedEncodingContainer

    func encode(_ part: some Encodable) throws {
        var container = container
        try container.encode(part)
    }
}
