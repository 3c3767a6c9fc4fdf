#if Inspector
import HTTPTypes
import TarmacCore
import TarmacLog

/// Decides whether and how a call of the log is sent again (pure).
///
/// The request is made of the masked entry, so no secret is taken from the log: the client adds the credentials of the service again. What
/// the log does not have is not made up.
struct ResendPlan: Sendable {
    let request: TarmacCore.Request
    /// The fields that the new request does not have, because the log masked them.
    let leftOut: [String]

    init(_ entry: CallLog.Entry) throws(Reason) {
        guard let logged = entry.request else { throw Reason("the call has no request") }
        guard !Self.isMasked(logged.url) else { throw Reason("the URL has a secret, which the log does not keep") }
        guard let method = HTTPRequest.Method(logged.method), let url = try? HTTPURL(logged.url) else { throw Reason("the log does not have the whole URL") }
        var headers = HTTPFields(), leftOut: [String] = []
        for field in logged.headers where !Self.madeAgain.contains(field.name.lowercased()) {
            if Self.isMasked(field.value) {
                leftOut.append(field.name)
            } else if let name = HTTPField.Name(field.name) {
                headers.append(HTTPField(name: name, value: field.value))
            }
        }
        request = TarmacCore.Request(method, url, headers: headers, body: try Self.body(logged.body))
        self.leftOut = leftOut
    }

    private static func body(_ body: CallLog.Body?) throws(Reason) -> TarmacCore.Body {
        guard let body else { return .none }
        guard let text = body.text, !body.isTruncated, body.size == Int64(text.utf8.count) else {
            if let text = body.text, isMasked(text) { throw Reason("the body has a secret, which the log does not keep") }
            throw Reason("the log does not have the whole body; let it keep more: bodies: .first(.mib(1))")
        }
        guard !isMasked(text) else { throw Reason("the body has a secret, which the log does not keep") }
        return .bytes(Bytes(Array(text.utf8)))
    }

    private static func isMasked(_ text: String) -> Bool { text.contains("‹masked") || text.contains("%E2%80%B9masked") }

    /// The transport makes these.
    private static let madeAgain: Set<String> = ["host", "content-length", "transfer-encoding", "connection", "cookie"]

    /// Why a call cannot be sent again.
    struct Reason: Error {
        let text: String
        init(_ text: String) { self.text = text }
    }
}
#endif
