extension Envelope {
    /// A code of a service: a number such as `40101`, or a text such as `"A0230"`.
    ///
    /// A number is also a text of its digits: `40101` is `"40101"`, and not `"040101"`.
    public struct Code: Hashable, Sendable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
        private let text: String

        package init(_ text: String) { self.text = text }
        public init(integerLiteral number: Int) { text = String(number) }
        public init(stringLiteral text: String) { self.text = text }
    }
}

extension TarmacError {
    /// Whether the server's code is one of these.
    package func hasCode(of codes: Set<Envelope.Code>) -> Bool {
        guard !codes.isEmpty, let serverCode else { return false }
        return codes.contains(Envelope.Code(serverCode))
    }
}
