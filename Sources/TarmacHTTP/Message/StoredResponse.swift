/// The origin of a response that was made from a stored response.
package struct StoredResponse: Attachment {
    package let origin: any StoredResponseOrigin
    package init(origin: any StoredResponseOrigin) { self.origin = origin }
}

/// The place that holds a stored response.
package protocol StoredResponseOrigin: Sendable {
    /// Removes the stored response.
    func discard() async
}

extension Response {
    /// Removes the stored response behind this response if it cannot be decoded. Otherwise it would fail every
    /// call until it expires.
    package func evict(after error: any Error) async {
        guard let stored = self[StoredResponse.self], (error as? TarmacError)?.code.category == .decoding else { return }
        await stored.origin.discard()
    }
}
