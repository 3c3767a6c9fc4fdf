import TarmacCallLog
import TarmacCore
import TarmacJSON

/// Writes calls as an HTTP Archive (pure).
enum HARWriter {
    static func bytes(of entries: [CallLog.Entry]) -> Bytes {
        let items = entries.flatMap(items).map { Lenient(wrappedValue: $0) }
        let log = HARDocument.Log(version: "1.2", creator: HARDocument.Creator(name: "Tarmac", version: "1"), pages: [], entries: items)
        var encoder = TarmacJSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // No number of an entry is infinite, so nothing fails to encode.
        return Bytes((try? encoder.encodeBytes(HARDocument(log: log))) ?? [])
    }

    /// Returns one item for each attempt, or one for a call without attempts.
    private static func items(_ entry: CallLog.Entry) -> [HARDocument.Item] {
        var call = entry
        call.attempts = []
        let sharesRequest = entry.request == (entry.attempts.first?.request ?? entry.request)
        let sharesResponse = entry.response == (entry.attempts.isEmpty ? entry.response : entry.attempts.last?.response)
        if sharesRequest { call.request = nil }
        if sharesResponse { call.response = nil }
        var mark = HARMark(call: call, id: entry.id, sharesRequest: sharesRequest, sharesResponse: sharesResponse, outcome: entry.outcome)
        if entry.attempts.isEmpty { return [item(entry, mark)] }
        return entry.attempts.map { attempt in
            defer { mark = HARMark(id: entry.id, outcome: entry.outcome) }
            return item(attempt, of: entry, mark)
        }
    }

    private static func item(_ attempt: CallLog.Attempt, of entry: CallLog.Entry, _ mark: HARMark) -> HARDocument.Item {
        var mark = mark
        mark.attempt = HARMark.AttemptPart(
            number: attempt.number, reason: attempt.reason, start: attempt.began, failure: attempt.failure, timings: attempt.timings)
        let timings = HARDocument.Timings(attempt.timings, of: .zero)
        var item = item(attempt.request, attempt.response, attempt.failure, &mark)
        item.startedDateTime = HARDate.text(entry.startMilliseconds + attempt.began.value.rounded())
        (item.timings, item.time) = (timings, timings.sum)
        item.response?.bodySize = attempt.timings?.bytesReceived.map { Double($0) } ?? -1
        item.serverIPAddress = attempt.timings?.remoteAddress.flatMap(HARAddress.server)
        item.comment = "\(entry.endpoint), attempt \(attempt.number)" + (attempt.reason.map { ", \($0)" } ?? "")
        item.mark = mark
        return item
    }

    private static func item(_ entry: CallLog.Entry, _ mark: HARMark) -> HARDocument.Item {
        var mark = mark
        let request = entry.request ?? CallLog.Request(method: "GET", url: HARAddress.none, headers: [], body: nil)
        // A call without a request keeps `nil`.
        if entry.request == nil { mark.sharesRequest = false }
        if entry.response == nil { mark.sharesResponse = false }
        var item = item(request, entry.response, entry.failure, &mark)
        item.startedDateTime = HARDate.text(entry.startMilliseconds)
        let timings = HARDocument.Timings(nil, of: entry.duration ?? .zero)
        (item.timings, item.time) = (timings, timings.sum)
        // Browsers know no other places. The source is in the response's own member.
        if entry.source?.isCache == true { item.fromCache = "disk" }
        item.comment = entry.endpoint
        item.mark = mark
        return item
    }

    private static func item(
        _ request: CallLog.Request, _ response: CallLog.Response?, _ failure: CallLog.Failure?, _ mark: inout HARMark
    ) -> HARDocument.Item {
        let uri = HARAddress.uri(request.url)
        mark.url = uri == request.url ? nil : request.url
        mark.requestBody = request.body.map { HARMark.BodyPart($0) }
        mark.response = response.map { HARMark.ResponsePart(version: $0.version, source: $0.source, body: $0.body.map { HARMark.BodyPart($0) }) }
        let version = response?.version ?? "unknown"
        return HARDocument.Item(request: .init(request, version: version), response: .init(response, failure, version: version), cache: .init())
    }
}

extension CallLog.Entry {
    fileprivate var outcome: String { state.rawValue + (failure.map { ": \($0.code)" } ?? "") }
}

extension HARMark.BodyPart {
    fileprivate init(_ body: CallLog.Body) { self.init(mediaType: body.mediaType, size: body.size, isTruncated: body.isTruncated) }
}

extension HARDocument.Request {
    fileprivate init(_ request: CallLog.Request, version: String) {
        self.init(
            method: request.method, url: HARAddress.uri(request.url), httpVersion: version, cookies: HARText.cookies(request.headers, in: "cookie"),
            headers: request.headers.map { .init(name: $0.name, value: $0.value) }, queryString: HARText.query(of: request.url),
            postData: request.body.map { body in
                HARDocument.PostData(
                    mimeType: body.mediaType ?? "", text: body.text ?? body.base64 ?? "", encoding: body.base64.map { _ in "base64" }, params: [])
            }, headersSize: -1, bodySize: request.body.map { $0.size.map { Double($0) } ?? -1 } ?? 0)
    }
}

extension HARDocument.Response {
    fileprivate init(_ response: CallLog.Response?, _ failure: CallLog.Failure?, version: String) {
        let headers = response?.headers ?? [], body = response?.body
        self.init(
            status: response?.status ?? 0, statusText: response?.reasonPhrase ?? "", httpVersion: version,
            cookies: HARText.cookies(headers, in: "set-cookie"), headers: headers.map { .init(name: $0.name, value: $0.value) },
            content: HARDocument.Content(
                size: body?.size.map { Double($0) } ?? body?.shownSize ?? 0, mimeType: body?.mediaType ?? HARText.value(of: "content-type", in: headers) ?? "",
                text: body?.text ?? body?.base64, encoding: body?.base64.map { _ in "base64" }),
            redirectURL: HARText.value(of: "location", in: headers).map(HARAddress.uri) ?? "", headersSize: -1, bodySize: -1,
            error: response == nil ? failure?.text : nil)
    }
}

extension HARDocument.Timings {
    /// - Parameter whole: the time of a call without a request, which waits for its response all the time.
    fileprivate init(_ timings: CallLog.Timings?, of whole: Duration) {
        // The time of TLS is a part of that of connecting.
        let connect = [timings?.connectedIn, timings?.securedIn].compactMap(\.?.value)
        self.init(
            blocked: timings?.queuedFor?.value ?? -1, dns: timings?.resolvedIn?.value ?? -1,
            connect: connect.isEmpty ? -1 : Milliseconds(connect.reduce(0, +)).value, ssl: timings?.securedIn?.value ?? -1,
            send: timings?.sentIn?.value ?? 0, wait: timings?.waitedFor?.value ?? (timings == nil ? Milliseconds(whole).value : 0),
            receive: timings?.receivedIn?.value ?? 0)
        // Time that no span explains, as between the head of a request and its body.
        guard let total = timings?.lasted?.value else { return }
        let unknown = Milliseconds(total - (sum - max(blocked ?? 0, 0))).value
        if unknown > 0 { blocked = Milliseconds(max(blocked ?? 0, 0) + unknown).value }
    }

    /// The time of an entry: of all spans that apply.
    fileprivate var sum: Double {
        Milliseconds([blocked, dns, connect, send, wait, receive].compactMap(\.self).filter { $0 > 0 }.reduce(0, +)).value
    }
}

extension CallLog.Body {
    /// The size of what is shown of a body whose size is unknown.
    fileprivate var shownSize: Double? { (text ?? base64).map { Double($0.utf8.count) } }
}

/// The parts of texts that an archive repeats (pure).
enum HARText {
    static func value(of name: String, in fields: [CallLog.Field]) -> String? { fields.first { $0.name.lowercased() == name }?.value }

    static func query(of url: String) -> [HARDocument.Pair] {
        guard let mark = url.firstIndex(of: "?") else { return [] }
        return url[url.index(after: mark)...].prefix { $0 != "#" }.split(separator: "&").map(pair)
    }

    static func cookies(_ fields: [CallLog.Field], in name: String) -> [HARDocument.Pair] {
        fields.filter { $0.name.lowercased() == name }.flatMap { field in
            let pairs = field.value.split(separator: ";").map { pair($0.trimmed[...]) }
            return name == "cookie" ? pairs : Array(pairs.prefix(1))
        }
    }

    /// Returns parameters as the body of a form (WHATWG URL §5.2).
    static func form(_ pairs: [HARDocument.Pair]) -> String {
        pairs.map { "\(formEncoded($0.name))=\(formEncoded($0.value ?? ""))" }.joined(separator: "&")
    }

    private static func formEncoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if PercentEncoding.isUnreserved(byte) { bytes.append(byte) } else { PercentEncoding.append(byte, to: &bytes) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func pair(_ text: Substring) -> HARDocument.Pair {
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return HARDocument.Pair(name: halves[0], value: halves.count == 2 ? halves[1] : "")
    }

    /// Returns an address without its port and brackets.
    static func host(_ address: String) -> String {
        if address.hasPrefix("[") { return String(address.dropFirst().prefix { $0 != "]" }) }
        let parts = address.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? String(parts[0]) : address
    }
}
