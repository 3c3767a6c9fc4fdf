extension EncodingContext {
    /// Returns the error of a write at a place that is not writable: the first fault, if known.
    @inline(never)
    func refusal(of key: some CodingKey, in handle: EncodingLevel.Handle) -> EncodingError {
        refusal(key, codingPath(of: handle) + [key], state(handle))
    }

    @inline(never)
    func refusal(ofElementIn handle: EncodingLevel.Handle) -> EncodingError {
        let count = isOpen(handle) ? levels[handle.depth].count : 0
        return refusal(count, codingPath(of: handle) + [AnyCodingKey(intValue: count)], state(handle))
    }

    @inline(never)
    func refusal(of value: Any, by encoder: EncodingFrame.Handle) -> EncodingError {
        let isKnown = isOpen(encoder)
        let words =
            isKnown
            ? isWritable(encoder) ? "A value is encoded already." : "A part of the value is being encoded, by another encoder."
            : "The encoder is that of a value that is over."
        return refusal(value, codingPath(of: encoder), words)
    }

    private func refusal(_ value: Any, _ path: [any CodingKey], _ words: String) -> EncodingError {
        run.fault ?? .invalidValue(value, .init(codingPath: path, debugDescription: words))
    }

    private func state(_ handle: EncodingLevel.Handle) -> String {
        isOpen(handle) ? "A part of the container is being encoded, by another one." : "The container is closed."
    }

    func tooDeep(_ value: Any) -> EncodingError { Self.tooDeep(value, writingPath) }

    static func tooDeep(_ value: Any, _ path: [any CodingKey]) -> EncodingError {
        .invalidValue(value, .init(codingPath: path, debugDescription: "The values are nested too deep for this thread's stack."))
    }
}
