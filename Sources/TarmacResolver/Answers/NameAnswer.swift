/// The answer of a resolver to a name.
package struct NameAnswer: Equatable, Sendable {
    /// At most ``limit`` of them. Empty: the name has none.
    package let addresses: [HostAddress]
    /// The time for which the answer counts.
    package let life: Duration
    /// Whether it has the addresses of both versions, as far as there are any.
    package let isWhole: Bool

    package static let limit = 32

    package init(_ addresses: [HostAddress], life: Duration, isWhole: Bool = true) {
        self.addresses = Array(addresses.prefix(Self.limit))
        (self.life, self.isWhole) = (life, isWhole)
    }
}

/// The reason why an answer cannot be read.
package struct AnswerFault: Error, Equatable {
    package let reason: String
    package init(_ reason: String) { self.reason = reason }
}
