/// The encoder for one value, which an existential holds without allocating.
struct ValueEncoder: Encoder {
    let context: EncodingContext
    /// The containers open around the value; -1 where nothing can be written.
    let depth: Int
    /// Where its text begins.
    let start: Int

    var codingPath: [any CodingKey] { context.codingPath(depth) }

    var userInfo: [CodingUserInfoKey: Any] { context.settings.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(ObjectEncodingContainer<Key>(context: context, handle: open(isObject: true)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ArrayEncodingContainer(context: context, handle: open(isObject: false))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// The value's container; the same one when asked again, as a superclass and its subclass do.
    private func open(isObject: Bool) -> EncodingLevel.Handle {
        if depth >= 0, context.levels.count > depth, context.levels[depth].isObject == isObject {
            return EncodingLevel.Handle(depth: depth, serial: context.levels[depth].serial)
        }
        if context.levels.count == depth, context.output.count == start { return context.open(isObject: isObject) }
        context.run.note(context.refusal(start, "A value cannot encode both a container and something else."))
        return .closed
    }
}
