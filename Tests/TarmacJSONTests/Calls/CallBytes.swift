/// Choices read from bytes, so that a fuzzer finds its way by changing them; nothing but 0 when they are used up.
final class CallBytes {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)[...]
    }

    var isEmpty: Bool { bytes.isEmpty }

    func next(_ bound: Int) -> Int {
        guard let byte = bytes.popFirst() else { return 0 }
        return Int(byte) % bound
    }

    func pick<Element>(_ elements: [Element]) -> Element { elements[next(elements.count)] }

    /// Few keys, so that they meet; some need escapes, or change when keys are converted.
    func key() -> String { pick(["a", "b", "firstName", "", "\"\\/", "é\u{0}", "a much longer key than all the others are"]) }
}
