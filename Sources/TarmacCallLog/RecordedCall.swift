/// A call in a record. A request and a response that an attempt has too are not written twice.
struct RecordedCall: Codable {
    private var call: CallLog.Entry
    private var sharesRequest: Bool?
    private var sharesResponse: Bool?

    init(_ entry: CallLog.Entry) {
        call = entry
        if let first = entry.attempts.first, entry.request == first.request { (call.request, sharesRequest) = (nil, true) }
        if let last = entry.attempts.last?.response, entry.response == last { (call.response, sharesResponse) = (nil, true) }
    }

    var entry: CallLog.Entry {
        var entry = call
        if sharesRequest == true { entry.request = entry.attempts.first?.request }
        if sharesResponse == true { entry.response = entry.attempts.last?.response }
        return entry
    }

    private var line: [UInt8] { CallLog.jsonLine(self) }

    /// Returns a call as one line without its end, whose bodies are cut off so that it has at most `longest` bytes. Without its bodies it may
    /// still be longer.
    static func line(_ entry: CallLog.Entry, longest: Int) -> [UInt8] {
        let whole = RecordedCall(entry).line
        if whole.count <= longest { return whole }
        let bare = RecordedCall(entry.cut(to: 0)).line, left = longest - bare.count, sizes = RecordedCall(entry).bodySizes
        var room = left
        while room >= shortest {
            if sizes.reduce(0, { $0 + min($1, room) }) <= left {
                let cut = RecordedCall(entry.cut(to: room)).line
                // Escapes may make a text longer.
                if cut.count <= longest { return cut }
            }
            room /= 2
        }
        return bare
    }

    /// The fewest bytes of a body that say something.
    private static let shortest = 32
}

extension CallLog.Entry {
    /// Returns the call with at most this many bytes of each body.
    fileprivate func cut(to length: Int) -> CallLog.Entry {
        var entry = self
        (entry.request, entry.response) = (request?.cut(to: length), response?.cut(to: length))
        for place in entry.attempts.indices {
            entry.attempts[place].request = attempts[place].request.cut(to: length)
            entry.attempts[place].response = attempts[place].response?.cut(to: length)
        }
        return entry
    }
}

extension RecordedCall {
    /// The lengths of the bodies that are written.
    fileprivate var bodySizes: [Int] {
        let requests = (call.request.map { [$0] } ?? []) + call.attempts.map(\.request)
        let responses = (call.response.map { [$0] } ?? []) + call.attempts.compactMap(\.response)
        return (requests.compactMap(\.body) + responses.compactMap(\.body)).map { ($0.text ?? $0.base64)?.utf8.count ?? 0 }
    }
}

extension CallLog.Request {
    fileprivate func cut(to length: Int) -> CallLog.Request { CallLog.Request(method: method, url: url, headers: headers, body: body?.cut(to: length)) }
}

extension CallLog.Response {
    fileprivate func cut(to length: Int) -> CallLog.Response {
        CallLog.Response(status: status, reasonPhrase: reasonPhrase, version: version, headers: headers, body: body?.cut(to: length), source: source)
    }
}

extension CallLog.Body {
    /// Returns the body with the beginning of its text. A part of an image is none.
    fileprivate func cut(to length: Int) -> CallLog.Body {
        if let text, text.utf8.count > length {
            return CallLog.Body(mediaType: mediaType, size: size, text: length > 0 ? text.beginning(length) + "…" : nil, base64: nil, isTruncated: true)
        }
        guard let base64, base64.utf8.count > length else { return self }
        return CallLog.Body(mediaType: mediaType, size: size, text: nil, base64: nil, isTruncated: true)
    }
}

extension String {
    /// Returns the first bytes, without a character that would be cut off.
    fileprivate func beginning(_ length: Int) -> String {
        var end = utf8.index(utf8.startIndex, offsetBy: length)
        while end > startIndex, String.Index(end, within: self) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
