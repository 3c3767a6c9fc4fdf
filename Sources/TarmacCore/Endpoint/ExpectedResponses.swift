@_spi(TarmacRooms) import TarmacHTTP

/// An attachment of a request: responses that count as success because of how the request was made.
package struct ExpectedResponses: OptionSet, Attachment {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The response 206: a stage requests a part of a body that the caller wants as a whole.
    package static let part = ExpectedResponses(rawValue: 1)
    /// The response 304: a stage asks whether a stored response is still valid.
    package static let notModified = ExpectedResponses(rawValue: 2)
    /// A response whatever its envelope states: the caller made the request itself, and takes the response itself.
    package static let anyEnvelope = ExpectedResponses(rawValue: 4)
}

extension Request {
    /// Whether a response counts as success.
    func expects(_ response: ExpectedResponses) -> Bool { self[ExpectedResponses.self]?.contains(response) == true }

    /// Adds a response that counts as success.
    package mutating func expect(_ response: ExpectedResponses) { self[ExpectedResponses.self] = (self[ExpectedResponses.self] ?? []).union(response) }
}
