/// The answer of a resolver to a name.
package struct NameAnswer: Equatable, Sendable {
    /// At most ``limit`` of them. Empty: the name has none.
    package let addresses: [HostAddress]
    /// The time for which the answer counts.
    package let life: Duration

    package static let limit = 32

    package init(_ addresses: [HostAddress], life: Duration) {
        self.addresses = Array(addresses.prefix(Self.limit))
        self.life = life
    }
}

/// The reason why an answer cannot be read.
package struct AnswerFault: Error, Equatable {
    package let reason: String
    package init(_ reason: String) { self.reason = reason }
}
