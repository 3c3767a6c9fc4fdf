/// The encoder for one value, which an existential holds without allocating.
struct ValueEncoder: Encoder {
    let context: EncodingContext
    let value: EncodingFrame.Handle

    var codingPath: [any CodingKey] { context.codingPath(of: value) }

    var userInfo: [CodingUserInfoKey: Any] { context.settings.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(ObjectEncodingContainer<Key>(context: context, handle: open(isObject: true)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ArrayEncodingContainer(context: context, handle: open(isObject: false))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Whether the value is writable, and no part of it is written.
    @inline(__always)
    var isEmpty: Bool {
        guard context.isWritable(value) else { return false }
        let frame = context.frames[value.place]
        return context.levels.count == frame.depth && context.output.count == frame.start
    }

    /// Returns the value's container; the same one for each request, as a superclass and its subclass make them.
    private func open(isObject: Bool) -> EncodingLevel.Handle {
        if isEmpty {
            let handle = context.open(isObject: isObject)
            context.frames[value.place].container = handle.serial
            return handle
        }
        if context.isOpen(value) {
            let frame = context.frames[value.place]
            let handle = EncodingLevel.Handle(depth: frame.depth, serial: frame.container)
            if context.isOpen(handle), context.levels[handle.depth].isObject == isObject { return handle }
        }
        context.run.note(context.refusal(of: isObject ? "an object" : "an array", by: value))
        return .closed
    }
}
