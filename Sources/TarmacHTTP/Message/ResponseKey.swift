/// The key under which a module finds the response to a request.
package struct ResponseKey: Attachment {
    /// The key of a request that only reads, whatever its method: its body is a part of the question. `nil` for
    /// other requests.
    package let question: String?
    /// The URL that identifies changes of the response.
    package let url: String

    package init(question: String?, url: String) {
        self.question = question
        self.url = url
    }
}
