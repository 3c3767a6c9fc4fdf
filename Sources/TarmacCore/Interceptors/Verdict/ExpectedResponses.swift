@_spi(TarmacRooms) import TarmacHTTP

/// An attachment of a request: the responses that a stage requested, that the caller does not know of, and that count as success.
package struct ExpectedResponses: OptionSet, Attachment {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The response 206: a stage requests a part of a body that the caller wants as a whole.
    package static let part = ExpectedResponses(rawValue: 1)
    /// The response 304: a stage asks whether a stored response is still valid.
    package static let notModified = ExpectedResponses(rawValue: 2)
}

extension Request {
    /// Whether a stage requested a response that the caller does not know of.
    func expects(_ response: ExpectedResponses) -> Bool { self[ExpectedResponses.self]?.contains(response) == true }

    /// Adds a response that counts as success.
    package mutating func expect(_ response: ExpectedResponses) { self[ExpectedResponses.self] = (self[ExpectedResponses.self] ?? []).union(response) }
}
