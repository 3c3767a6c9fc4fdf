#if Inspector
import HTTPTypes
import TarmacCore
import TarmacCallLog

/// Decides whether and how a call of the log is sent again (pure).
///
/// The request is made of the masked entry, so no secret is taken from the log: the client adds the credentials of the service again. Values that the log does not have are not made up.
struct ResendPlan: Sendable {
    let request: TarmacCore.Request
    /// The fields that the new request does not have, because the log masked them or has too many.
    let leftOut: [String]

    init(_ entry: CallLog.Entry) throws(Refusal) {
        guard let logged = entry.request else { throw Self.refusal(.noRequest, "the call has no request") }
        guard !Self.isMasked(logged.url) else { throw Self.refusal(.secretInURL, "the URL has a secret, which the log does not keep") }
        guard let method = HTTPRequest.Method(logged.method), let url = try? HTTPURL(logged.url) else {
            throw Self.refusal(.incompleteURL, "the log does not have the whole URL")
        }
        var headers = HTTPFields(), leftOut: [String] = []
        for field in logged.headers where !Self.isMadeAgain(field.name.lowercased()) {
            if Self.isMasked(field.value) {
                leftOut.append(field.name)
            } else if let name = HTTPField.Name(field.name) {
                do { try headers.add(HTTPField(name: name, value: field.value)) } catch { leftOut.append(field.name) }
            }
        }
        request = TarmacCore.Request(method, url, headers: headers, body: try Self.body(logged.body))
        self.leftOut = leftOut
    }

    private static func body(_ body: CallLog.Body?) throws(Refusal) -> TarmacCore.Body {
        guard let body else { return .none }
        guard let text = body.text, !body.isTruncated, body.size == Int64(text.utf8.count) else {
            if let text = body.text, isMasked(text) { throw secretInBody }
            throw refusal(.incompleteBody, "the log does not have the whole body; let it keep more: bodies: .first(.mib(1))")
        }
        guard !isMasked(text) else { throw secretInBody }
        return .bytes(Bytes(Array(text.utf8)))
    }

    private static func isMasked(_ text: String) -> Bool { text.contains("‹masked") || text.contains("%E2%80%B9masked") }

    private static func refusal(_ code: Refusal.Code, _ reason: String) -> Refusal { Refusal(409, code, reason) }
    private static var secretInBody: Refusal { refusal(.secretInBody, "the body has a secret, which the log does not keep") }

    /// The client and the transport make these. A key or a trace of the first call would make the new one a repetition or a part of it.
    private static func isMadeAgain(_ name: String) -> Bool { madeAgain.contains(name) || name.hasPrefix("x-b3-") }
    private static let madeAgain: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "cookie",
        "idempotency-key", "traceparent", "tracestate", "baggage", "b3",
    ]
}
#endif
