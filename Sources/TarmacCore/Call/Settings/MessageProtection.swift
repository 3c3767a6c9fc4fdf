/// The protection of messages on the wire.
package struct MessageProtection: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Bodies are encrypted, so the bytes on the wire differ from those that the stages above see.
    package static let encryption = MessageProtection(rawValue: 1)
    /// Responses are verified, and a response that fails is refused.
    package static let verification = MessageProtection(rawValue: 2)
}

extension OptionValues {
    /// The protection that the settings give together.
    var protection: MessageProtection {
        if rooms.isEmpty { return [] }
        return rooms.values.reduce(into: []) { $0.formUnion($1.protection) }
    }
}

extension StageScope {
    /// The protection of the call's messages on the wire.
    package var protection: MessageProtection { values.protection }
}

extension CallContext {
    /// The protection of the call's messages on the wire.
    package var protection: MessageProtection { options.values.protection }

    /// Whether the bytes of a body on the wire differ from those that the stages above see.
    package func changesOnWire(_ body: Body) -> Bool { options.values.rooms.values.contains { $0.changes(body) } }
}
