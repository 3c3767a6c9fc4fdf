#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
public import TarmacCore
import TarmacLog

extension CallLog.Entry: MaskedReflectable {
    /// The call in one line, such as `#12 GetUser: GET https://api.example.com/users/7, landed, 200, 2 attempts, 14 ms`.
    public var description: String {
        let request = request.map { ": \($0)" } ?? ""
        let status = status.map { ", \($0)" } ?? "", source = source.flatMap { $0.isCache ? ", from the cache" : nil } ?? ""
        let duration = duration.map { ", \($0.shown)" } ?? "", code = failure.map { " (\($0.code))" } ?? ""
        let count = attempts.count == 1 ? "" : ", \(attempts.count) attempts"
        return "#\(id) \(endpoint)\(request), \(state.rawValue)\(code)\(status)\(source)\(count)\(duration)"
    }

    /// The last request as a curl command, with secrets masked. `nil` for a call that failed before it had a request.
    public var curl: String? { (attempts.last?.request ?? request)?.curl }
}

extension CallLog.Request: CustomStringConvertible {
    /// The method and the URL with secrets masked.
    public var description: String { "\(method) \(url)" }

    /// The request as a curl command, with secrets masked. It repeats the request only where nothing was masked or left out.
    public var curl: String {
        CurlCommand(method: method, url: url, headers: curlHeaders.map { ($0.name, $0.value) }, body: body.map(curlBody) ?? .none).text()
    }

    private func curlBody(_ body: CallLog.Body) -> CurlCommand.Body {
        if let text = body.text { return .text(text) }
        if !body.isTruncated, let data = body.base64.flatMap({ Data(base64Encoded: $0) }) { return .bytes(Bytes(data)) }
        return .text("‹\(body.size.map { "\($0) bytes" } ?? "a stream")›")
    }

    /// The log has the body without its coding, whose fields would say of it what is not so.
    private var curlHeaders: [CallLog.Field] {
        guard body != nil, headers.contains(where: { $0.name.lowercased() == "content-encoding" }) else { return headers }
        return headers.filter { !["content-encoding", "content-length", "transfer-encoding"].contains($0.name.lowercased()) }
    }
}

extension CallLog.Response: CustomStringConvertible {
    /// The status and the size of the body.
    public var description: String { "\(status)" + (body?.size.map { ", \($0) bytes" } ?? "") }
}

extension CallLog.Failure: CustomStringConvertible {
    public var description: String { text }
}

extension CallLog.Event: CustomStringConvertible {
    public var description: String { "\(offset.shown): \(text)" }
}
