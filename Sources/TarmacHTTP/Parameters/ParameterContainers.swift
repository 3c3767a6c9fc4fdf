// One generic method satisfies all requirements of the container protocols. The compiler specializes it for
// each scalar, and all other values use the one path in `ParameterNode`.

struct ParameterKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: ParameterNode

    var codingPath: [any CodingKey] { node.codingPath }

    func encodeNil(forKey key: Key) { node.appendNil(forKey: key) }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try node.append(value, forKey: key) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        node.pendingChild(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        node.pendingChild(key).unkeyedContainer()
    }

    // The fields of the superclass join those of the subclass, and are not placed below a key "super".
    func superEncoder() -> any Encoder { node }

    func superEncoder(forKey key: Key) -> any Encoder { node.pendingChild(key) }
}

struct ParameterUnkeyedContainer: UnkeyedEncodingContainer {
    let node: ParameterNode

    var codingPath: [any CodingKey] { node.codingPath }
    var count: Int { node.count }

    func encodeNil() { node.appendNil() }

    func encode<T: Encodable>(_ value: T) throws { try node.append(value) }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        node.pendingChild(ParameterKey(index: count)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        node.pendingChild(ParameterKey(index: count)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { node.pendingChild(ParameterKey(index: count)) }
}

struct ParameterSingleValueContainer: SingleValueEncodingContainer {
    let node: ParameterNode

    var codingPath: [any CodingKey] { node.codingPath }

    func encodeNil() { node.encodeSingleNil() }

    func encode<T: Encodable>(_ value: T) throws { try node.encodeSingle(value) }
}
