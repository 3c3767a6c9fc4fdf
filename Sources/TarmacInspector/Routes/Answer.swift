#if Inspector
/// An answer of the server.
struct Answer: Sendable {
    enum Content: Sendable {
        case bytes([UInt8])
        case events(FeedStream)
    }
    let status: Int
    let headers: [(String, String)]
    let content: Content
    /// Whether the connection ends after it.
    let isLast: Bool

    private init(
        _ status: Int = 200, type: String, nonce: String? = nil, more: [(String, String)] = [], isLast: Bool = false, _ content: Content
    ) {
        (self.status, self.content, self.isLast) = (status, content, isLast)
        headers = ResponseHeaders.all(nonce: nonce) + [("Content-Type", type)] + more + (isLast ? [("Connection", "close")] : [])
    }

    static func page() -> Answer {
        let nonce = AccessToken().text
        return Answer(type: html, nonce: nonce, .bytes(Array(Page.html(nonce: nonce).utf8)))
    }

    /// The page for an address without the token, as after a reload. It looks for the token in its tab.
    static func lockedPage() -> Answer {
        let nonce = AccessToken().text
        return Answer(401, type: html, nonce: nonce, isLast: true, .bytes(Array(LockedPage.html(nonce: nonce).utf8)))
    }

    static func json(_ bytes: [UInt8]) -> Answer { Answer(type: "application/json", .bytes(bytes)) }
    static func json(_ value: some Encodable) -> Answer { json(PageJSON.bytes(value)) }
    /// The connection belongs to the page until it leaves.
    static func events(_ stream: FeedStream) -> Answer { Answer(type: "text/event-stream", isLast: true, .events(stream)) }

    static func har(_ bytes: [UInt8]) -> Answer {
        Answer(type: "application/json", more: [("Content-Disposition", "attachment; filename=\"calls.har\"")], .bytes(bytes))
    }

    static func refused(_ refusal: Refusal, isLast: Bool = false) -> Answer {
        let reason = Reason(reason: refusal.reason, code: refusal.code.rawValue, value: refusal.value)
        return Answer(refusal.status, type: "application/json", more: refusal.headers, isLast: isLast, .bytes(PageJSON.bytes(reason)))
    }

    private struct Reason: Encodable { let reason: String, code: String, value: String? }
    private static let html = "text/html; charset=utf-8"
}
#endif
