/// A response that was made of a stored answer.
package struct StoredAnswer: Attachment {
    package let origin: any StoredAnswerOrigin
    package init(origin: any StoredAnswerOrigin) { self.origin = origin }
}

/// The place a stored answer comes from.
package protocol StoredAnswerOrigin: Sendable {
    /// Removes the answer.
    func discard() async
}

extension Response {
    /// Removes the stored answer that the response was made of if it cannot be decoded: it would fail every call until it
    /// expires.
    func evict(after error: any Error) async {
        guard let stored = self[StoredAnswer.self], (error as? TarmacError)?.code.category == .decoding else { return }
        await stored.origin.discard()
    }
}
