#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCallLog
import TarmacCore
import TarmacJSON

/// Reads calls from an HTTP Archive (pure).
enum HARReader {
    static func calls(of bytes: [UInt8]) throws(TarmacError) -> (entries: [CallLog.Entry], leftOut: Int) {
        let items: [HARDocument.Item?]
        do { items = try TarmacJSONDecoder().decode(HARDocument.self, from: withoutMark(bytes)).log.entries.map(\.wrappedValue) } catch {
            throw TarmacError(.decodingFailed, phase: .decoding, "the file is no HTTP Archive: \(type(of: error))", cause: error)
        }
        var archive = ArchivedCalls()
        for item in items { archive.add(item) }
        guard items.isEmpty || items.contains(where: { $0 != nil }) else {
            throw TarmacError(.decodingFailed, phase: .decoding, "the file is no HTTP Archive: none of its entries can be read")
        }
        return (archive.entries, archive.leftOut)
    }

    /// Some programs write a byte order mark, which JSON does not have (RFC 8259 §8.1).
    private static func withoutMark(_ bytes: [UInt8]) -> [UInt8] { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes }
}

/// The calls of an archive, while its items are read.
private struct ArchivedCalls {
    private(set) var leftOut = 0
    private var items: [(entry: CallLog.Entry, isForeign: Bool)] = []
    /// The places of the calls that Tarmac has written, by their numbers. A program may have sorted the items by time.
    private var places: [UInt64: Int] = [:]

    /// The calls without their secrets.
    var entries: [CallLog.Entry] {
        items.map { item in
            if item.isForeign { return item.entry }
            let entry = item.entry.completed
            return ArchiveMask(entry).entry(entry)
        }
    }

    mutating func add(_ item: HARDocument.Item?) {
        guard let item, item.hasBoundedFields else {
            leftOut += 1
            return
        }
        if let mark = item.mark {
            if let call = mark.call {
                places[mark.id] = items.count
                items.append((call.filled(by: item, mark), false))
            } else if let place = places[mark.id] {
                items[place].entry.add(item, mark)
            } else {
                leftOut += 1
            }
        } else if let url = HARAddress.url(item.request.url) {
            items.append((ForeignItem(item, url, number: UInt64(items.count + 1)).entry, true))
        } else if HARAddress.isHTTP(item.request.url) {
            leftOut += 1
        }
    }
}

extension CallLog.Entry {
    /// The number of fields of the message that has the most.
    fileprivate var mostFields: Int {
        let messages = attempts.flatMap { [$0.request.headers, $0.response?.headers ?? []] } + [request?.headers ?? [], response?.headers ?? []]
        return messages.map(\.count).max() ?? 0
    }

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
        guard let part = mark.attempt else { return }
        attempts.append(
            CallLog.Attempt(
                number: part.number, reason: part.reason, began: part.start, request: item.message(mark), response: item.answer(mark), failure: part.failure,
                timings: part.timings))
    }

    /// The call with the response of its last attempt, if it is the same.
    fileprivate var completed: CallLog.Entry {
        var entry = self
        entry.attempts.sort { $0.number < $1.number }
        if takesResponse, let last = entry.attempts.last { entry.response = last.response }
        entry.takesResponse = false
        return entry
    }
}

extension HARDocument.Item {
    /// Whether no message of the item has more fields than a message can have.
    fileprivate var hasBoundedFields: Bool {
        let counts = [request.headers?.count, response?.headers?.count, mark?.call?.mostFields]
        return counts.allSatisfy { $0 ?? 0 <= HTTPFields.sourceLimit }
    }

    fileprivate func message(_ mark: HARMark) -> CallLog.Request {
        CallLog.Request(
            method: request.method, url: mark.url ?? request.url, headers: (request.headers ?? []).map { .init(name: $0.name, value: $0.value ?? "") },
            body: mark.requestBody.map { body($0, text: request.postData?.text.flatMap { $0.isEmpty ? nil : $0 }, encoding: request.postData?.encoding) })
    }

    fileprivate func answer(_ mark: HARMark) -> CallLog.Response? {
        guard let part = mark.response, let response else { return nil }
        return CallLog.Response(
            status: response.status ?? 0, reasonPhrase: response.statusText ?? "", version: part.version,
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

    init(_ item: HARDocument.Item, _ url: HTTPURL, number: UInt64) {
        (self.item, self.number) = (item, number)
        let body = item.request.postData.map { data in
            TarmacCore.Body.bytes(Self.bytes(data.text ?? HARText.form(data.params ?? []), data.encoding), contentType: data.mimeType)
        }
        request = TarmacCore.Request(.init(item.request.method) ?? .get, url, headers: Self.fields(item.request.headers), body: body ?? .none)
    }

    var entry: CallLog.Entry {
        let start = item.startedDateTime.flatMap(HARDate.milliseconds) ?? 0, failure = failure
        let duration = Duration.microseconds(Int64((min(max(item.time ?? 0, 0), 1e12) * 1_000).rounded()))
        var call = ImportedCall(request, number: number, start: start, lasting: duration, failure: failure, isFromCache: item.fromCache != nil)
        if failure == nil, let response = item.response { call.land(head(response), size: size(response)) }
        var entry = call.entry
        entry.endpoint = "\(request.method.rawValue) \(entry.request.map { $0.url.prefix { $0 != "?" } } ?? "")"
        if !entry.attempts.isEmpty { entry.attempts[0].timings = timings }
        entry.setVersion(item.response?.httpVersion)
        return entry
    }

    private var failure: CallLog.Failure? {
        if let status = item.response?.status, (100...999).contains(status) { return nil }
        return CallLog.Failure(code: "failed", text: item.response?.error ?? item.response?.statusText ?? "no response")
    }

    private func head(_ response: HARDocument.Response) -> TarmacCore.Response {
        TarmacCore.Response(
            status: .init(code: response.status ?? 0, reasonPhrase: response.statusText ?? ""), headers: Self.fields(response.headers),
            body: .bytes(Self.bytes(response.content?.text ?? "", response.content?.encoding)), url: request.url)
    }

    private func size(_ response: HARDocument.Response) -> Int64? {
        response.content?.size.flatMap { $0 > 0 && $0 < 1e15 ? Int64($0) : nil }
    }

    private var timings: CallLog.Timings? {
        item.timings.map { timings in
            func span(_ value: Double?) -> Milliseconds? { value.flatMap { $0 >= 0 ? Milliseconds($0) : nil } }
            let ssl = span(timings.ssl), total = item.time.map { $0 - max(timings.blocked ?? 0, 0) }
            return CallLog.Timings(
                queuedFor: span(timings.blocked), resolvedIn: span(timings.dns),
                connectedIn: span(timings.connect).map { Milliseconds(max(0, $0.value - (ssl?.value ?? 0))) }, securedIn: ssl, sentIn: span(timings.send),
                waitedFor: span(timings.wait), receivedIn: span(timings.receive), lasted: span(total), bytesSent: nil,
                bytesReceived: item.response?.bodySize.flatMap { $0 >= 0 && $0 < 1e15 ? Int64($0) : nil }, isReused: nil,
                remoteAddress: item.serverIPAddress.flatMap(HARAddress.server))
        }
    }

    private static func bytes(_ text: String, _ encoding: String?) -> Bytes {
        encoding == "base64" ? Data(base64Encoded: text).map { Bytes($0) } ?? .empty : Bytes(text)
    }

    /// The fields without those of HTTP/2 that begin with a colon.
    private static func fields(_ pairs: [HARDocument.Pair]?) -> HTTPFields {
        var fields: HTTPFields = [:]
        for pair in pairs ?? [] {
            guard let name = HTTPField.Name(pair.name) else { continue }
            // An item with more fields was left out.
            do { try fields.add(HTTPField(name: name, value: pair.value ?? "")) } catch { continue }
        }
        return fields
    }
}

extension CallLog.Entry {
    /// Sets the version of HTTP, which archives write in several ways.
    fileprivate mutating func setVersion(_ version: String?) {
        guard let version, HARAddress.isVersion(version) else { return }
        response?.version = version
        for place in attempts.indices { attempts[place].response?.version = version }
    }
}
