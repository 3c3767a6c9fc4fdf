/// The key by which a room knows the answer to a request.
package struct AnswerKey: Attachment {
    /// The key of a request that only asks, whatever its method: its body is part of what it asks. `nil` for other requests.
    package let question: String?
    /// The URL by which changes of the answer are known.
    package let url: String

    package init(question: String?, url: String) {
        self.question = question
        self.url = url
    }
}
