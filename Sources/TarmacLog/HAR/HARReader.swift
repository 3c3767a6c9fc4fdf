#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore
import TarmacJSON

/// Reads calls from an HTTP Archive (pure).
enum HARReader {
    static func entries(of bytes: Bytes) throws(TarmacError) -> [CallLog.Entry] {
        let document: HARDocument
        do { document = try TarmacJSONDecoder().decode(HARDocument.self, from: bytes.array) } catch {
            throw TarmacError(.decodingFailed, phase: .decoding, "the file is no HTTP Archive: \(type(of: error))", cause: error)
        }
        var entries: [CallLog.Entry] = []
        for item in document.log.entries {
            if let mark = item.mark {
                if let call = mark.call {
                    entries.append(call.filled(by: item, mark))
                } else if let last = entries.indices.last {
                    entries[last].add(item, mark)
                }
            } else if let entry = ForeignItem(item, number: UInt64(entries.count + 1))?.entry {
                entries.append(entry)
            }
        }
        return entries.map(\.completed)
    }
}

extension CallLog.Entry {
    /// Returns the call with what the first item of its archive has.
    fileprivate func filled(by item: HARDocument.Item, _ mark: HARMark) -> CallLog.Entry {
        var entry = self
        entry.takesResponse = mark.sharesResponse == true
        if mark.sharesRequest == true { entry.request = item.message(mark) }
        if mark.attempt == nil, entry.takesResponse { entry.response = item.answer(mark) }
        entry.add(item, mark)
        return entry
    }

    fileprivate mutating func add(_ item: HARDocument.Item, _ mark: HARMark) {
        guard let part = mark.attempt, id == mark.id else { return }
        attempts.append(
            CallLog.Attempt(
                number: part.number, reason: part.reason, began: part.start, request: item.message(mark), response: item.answer(mark), failure: part.failure,
                timings: part.timings))
    }

    /// The call with the response of its last attempt, if it is the same.
    fileprivate var completed: CallLog.Entry {
        var entry = self
        if takesResponse, let last = attempts.last { entry.response = last.response }
        entry.takesResponse = false
        return entry
    }
}

extension HARDocument.Item {
    fileprivate func message(_ mark: HARMark) -> CallLog.Request {
        CallLog.Request(
            method: request.method, url: request.url, headers: (request.headers ?? []).map { .init(name: $0.name, value: $0.value ?? "") },
            body: mark.requestBody.map { body($0, text: request.postData?.text.flatMap { $0.isEmpty ? nil : $0 }, encoding: request.postData?.encoding) })
    }

    fileprivate func answer(_ mark: HARMark) -> CallLog.Response? {
        guard let part = mark.response, let response else { return nil }
        return CallLog.Response(
            status: response.status, reasonPhrase: response.statusText ?? "", version: part.version,
            headers: (response.headers ?? []).map { .init(name: $0.name, value: $0.value ?? "") },
            body: part.body.map { body($0, text: response.content?.text, encoding: response.content?.encoding) }, source: part.source)
    }

    private func body(_ part: HARMark.BodyPart, text: String?, encoding: String?) -> CallLog.Body {
        let isBase64 = encoding == "base64"
        return CallLog.Body(
            mediaType: part.mediaType, size: part.size, text: isBase64 ? nil : text, base64: isBase64 ? text : nil, isTruncated: part.isTruncated)
    }
}

/// An item of another program. It is masked as a call is, because such programs write secrets as they are.
private struct ForeignItem {
    private let item: HARDocument.Item
    private let number: UInt64
    private let request: TarmacCore.Request

    /// Returns `nil` for a scheme other than HTTP.
    init?(_ item: HARDocument.Item, number: UInt64) {
        guard let url = try? HTTPURL(item.request.url) else { return nil }
        (self.item, self.number) = (item, number)
        let body = item.request.postData.map { data in
            TarmacCore.Body.bytes(Self.bytes(data.text ?? Self.form(data.params), data.encoding), contentType: data.mimeType)
        }
        request = TarmacCore.Request(.init(item.request.method) ?? .get, url, headers: Self.fields(item.request.headers), body: body ?? .none)
    }

    var entry: CallLog.Entry {
        let start = item.startedDateTime.flatMap(HARDate.milliseconds) ?? 0, failure = failure
        let duration = Duration.microseconds(Int64((min(max(item.time ?? 0, 0), 1e12) * 1_000).rounded()))
        var raw = RawCall(imported: request, number: number, start: start, end: failure.map { .failed($0, duration) } ?? .landed(duration))
        let response = failure == nil ? item.response.map(head) : nil
        if let response { raw.land(response, after: nil) }
        if item.fromCache == nil {
            let attempt = raw.begin(request, body: raw.body, at: raw.began)
            raw.change(attempt) { ($0.response, $0.failure) = (response, failure) }
        }
        var entry = EntryMask(raw).entry(id: number)
        entry.endpoint = "\(request.method.rawValue) \(entry.request.map { $0.url.prefix { $0 != "?" } } ?? "")"
        if !entry.attempts.isEmpty { entry.attempts[0].timings = timings }
        entry.setVersion(item.response?.httpVersion)
        return entry
    }

    private var failure: CallLog.Failure? {
        if let response = item.response, (100...999).contains(response.status) { return nil }
        return CallLog.Failure(code: "failed", text: item.response?.error ?? item.response?.statusText ?? "no response")
    }

    private func head(_ response: HARDocument.Response) -> RawResponse {
        let bytes = Self.bytes(response.content?.text ?? "", response.content?.encoding)
        let answer = TarmacCore.Response(
            status: .init(code: response.status, reasonPhrase: response.statusText ?? ""), headers: Self.fields(response.headers), body: .bytes(bytes),
            url: request.url)
        var head = RawResponse(answer, limit: .max, source: item.fromCache == nil ? .network : .cache)
        if bytes.isEmpty { head.body = nil }
        if let size = response.content?.size, size > 0, size < 1e15 {
            head.body = head.body ?? RawBody(.empty, limit: 0)
            head.body?.size = max(Int64(size), Int64(bytes.count))
        }
        return head
    }

    private var timings: CallLog.Timings? {
        item.timings.map { timings in
            func span(_ value: Double?) -> Milliseconds? { value.flatMap { $0 >= 0 ? Milliseconds($0) : nil } }
            let ssl = span(timings.ssl)
            return CallLog.Timings(
                queuedFor: span(timings.blocked), resolvedIn: span(timings.dns),
                connectedIn: span(timings.connect).map { Milliseconds(max(0, $0.value - (ssl?.value ?? 0))) }, securedIn: ssl, sentIn: span(timings.send),
                waitedFor: span(timings.wait), receivedIn: span(timings.receive), lasted: span(item.time), bytesSent: nil,
                bytesReceived: item.response?.bodySize.flatMap { $0 >= 0 && $0 < 1e15 ? Int64($0) : nil }, isReused: nil,
                remoteAddress: item.serverIPAddress)
        }
    }

    private static func bytes(_ text: String, _ encoding: String?) -> Bytes {
        encoding == "base64" ? Data(base64Encoded: text).map { Bytes($0) } ?? .empty : Bytes(text)
    }

    private static func form(_ pairs: [HARDocument.Pair]?) -> String {
        (pairs ?? []).map { "\($0.name)=\($0.value ?? "")" }.joined(separator: "&")
    }

    /// The fields without those of HTTP/2 that begin with a colon.
    private static func fields(_ pairs: [HARDocument.Pair]?) -> HTTPFields {
        var fields: HTTPFields = [:]
        for pair in pairs ?? [] {
            guard let name = HTTPField.Name(pair.name) else { continue }
            fields.append(HTTPField(name: name, value: pair.value ?? ""))
        }
        return fields
    }
}

extension CallLog.Entry {
    /// Sets the version of HTTP, which archives write in several ways.
    fileprivate mutating func setVersion(_ version: String?) {
        guard let version, !version.isEmpty, version != "unknown" else { return }
        response?.version = version
        for place in attempts.indices { attempts[place].response?.version = version }
    }
}
