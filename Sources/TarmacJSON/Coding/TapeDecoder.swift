/// The decoder for one value: a reference and an index, which an existential holds without allocating.
struct TapeDecoder: Decoder {
    let context: DecodingContext
    let index: Int

    var codingPath: [any CodingKey] { context.codingPath(to: index) }

    var userInfo: [CodingUserInfoKey: Any] { context.settings.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard context.tape[index].kind == .object else { throw context.mismatch(at: index, [String: Any].self) }
        return KeyedDecodingContainer(KeyedTapeContainer<Key>(context: context, index: index))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard context.tape[index].kind == .array else { throw context.mismatch(at: index, [Any].self) }
        return UnkeyedTapeContainer(context: context, index: index)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

/// A decoder that can return the value of its document.
protocol DocumentBacked {
    var json: JSON { get }
}

extension TapeDecoder: DocumentBacked {
    var json: JSON { context.json(at: index) }
}
