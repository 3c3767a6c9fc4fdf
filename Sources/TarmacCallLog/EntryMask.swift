package import HTTPTypes
package import TarmacCore
import TarmacMasking

/// Makes the entry of a call, without its secrets: those that the redactor knows by name, place and shape, and those that the call has
/// sent, wherever they occur (pure).
struct EntryMask {
    private let raw: RawCall
    private let redactor: Redactor
    private let known: KnownSecrets

    /// - Parameter redactor: that of the settings of the call.
    init(_ raw: RawCall, _ redactor: Redactor) {
        (self.raw, self.redactor) = (raw, redactor)
        var known = KnownSecrets()
        let requests = [raw.request, raw.stamped].compactMap(\.self) + raw.attempts.map(\.request)
        // Their number is limited, and a body may have very many.
        for var head in requests {
            head.body = .none
            head.redactor(over: redactor).add(head, to: &known)
        }
        for request in requests where !request.body.isNone { request.redactor(over: redactor).add(request, to: &known) }
        known.prepare()
        self.known = known
    }

    func entry(id: UInt64) -> CallLog.Entry {
        let (state, duration, failure): (CallLog.Entry.State, Duration?, CallLog.Failure?) =
            switch raw.end {
            case nil: (.flying, nil, nil)
            case .landed(let duration)?: (.landed, duration, nil)
            case .failed(let failure, let duration)?: (.failed, duration, failure)
            case .cancelled(let duration)?: (.cancelled, duration, nil)
            }
        let request = raw.request
        return CallLog.Entry(
            id: id, call: raw.call, endpoint: raw.endpoint, service: raw.scope.service, hasOwner: raw.hasOwner, tags: raw.scope.tags.map(\.name).sorted(),
            startMilliseconds: raw.start.rounded(), state: state, lasted: duration.map { Milliseconds($0) },
            request: request.map { message($0, raw.body ?? RawBody($0.body, limit: 0)) }, response: (raw.response ?? lastResponse).map { landed($0) },
            attempts: raw.attempts.map(attempt),
            failure: failure.map(masked), events: raw.notes.map(event))
    }

    /// The response of the last attempt. A log without bodies keeps no other, unless the cache answered.
    private var lastResponse: RawResponse? { raw.end == nil ? nil : raw.lastAttempt?.response }

    private func attempt(_ attempt: RawAttempt) -> CallLog.Attempt {
        CallLog.Attempt(
            number: attempt.number, reason: attempt.reason, began: offset(attempt.timings.map { Moment($0.start) } ?? attempt.began),
            request: message(attempt.request, attempt.body ?? RawBody(attempt.request.body, limit: 0)),
            response: attempt.response.map { answer($0, to: attempt.request) }, failure: attempt.failure.map(masked),
            timings: attempt.timings.map { CallLog.Timings($0) })
    }

    private func event(_ note: RawCall.Note) -> CallLog.Event {
        CallLog.Event(at: offset(note.at), kind: note.kind, text: text(note.text, redactor))
    }

    private func masked(_ failure: CallLog.Failure) -> CallLog.Failure {
        CallLog.Failure(code: failure.code, text: text(failure.text, redactor(for: raw.lastAttempt?.request ?? raw.request)))
    }

    private func offset(_ moment: Moment) -> Milliseconds { Milliseconds(max(moment - raw.began, .zero)) }

    private func redactor(for request: TarmacCore.Request?) -> Redactor { request?.redactor(over: redactor) ?? redactor }

    // MARK: Messages

    private func message(_ request: TarmacCore.Request, _ body: RawBody?) -> CallLog.Request {
        let redactor = redactor(for: request), type = request.headers[.contentType] ?? request.body.contentType
        return CallLog.Request(
            method: request.method.rawValue, url: maskingKnown(redactor.url(request.url)), headers: request.headers.map { field($0, redactor) },
            body: self.body(body, type: type, redactor, isSecret: request.secrets.isBody))
    }

    /// The response of the whole call. The body of a stream is that of the attempt that carried it.
    private func landed(_ response: RawResponse) -> CallLog.Response {
        var response = response
        if response.isStream, let attempt = raw.attempts.last(where: { $0.response?.status == response.status }) {
            response.body = attempt.response?.body
        }
        return answer(response, to: raw.lastAttempt?.request ?? raw.request)
    }

    private func answer(_ response: RawResponse, to request: TarmacCore.Request?) -> CallLog.Response {
        let redactor = redactor(for: request)
        // The size of a coded body says nothing about its text.
        let isCoded = response.body?.bytes == nil && response.headers.namesCoding
        return CallLog.Response(
            status: response.status.code, reasonPhrase: masked(response.status.reasonPhrase), version: response.version?.description,
            headers: response.headers.map { field($0, redactor) }, body: body(isCoded ? nil : response.body, type: response.headers[.contentType], redactor),
            source: response.source.rawValue)
    }

    // MARK: Texts

    private func text(_ text: String, _ redactor: Redactor) -> String { redactor.text(text, known: known) }

    private func maskingKnown(_ text: String) -> String {
        known.isEmpty ? text : SecretText(names: .none, in: .inAddresses, known: known).masked(text) { _ in Redactor.mask }
    }

    /// A text of the other side, which may be a secret by its shape.
    private func masked(_ text: String) -> String { maskingKnown(redactor.value(text)) }

    private func field(_ field: HTTPField, _ redactor: Redactor) -> CallLog.Field {
        CallLog.Field(name: field.name.rawName, value: maskingKnown(LoggedField.value(of: field, redactor)))
    }

    private func body(_ body: RawBody?, type: String?, _ redactor: Redactor, isSecret: Bool = false) -> CallLog.Body? {
        guard let body else { return nil }
        // The size of a stream may be unknown.
        if body.bytes == nil, body.size == 0, body.outline == nil { return nil }
        let mask = BodyMask(redactor: redactor, known: known), mediaType = type.map(masked)
        guard let bytes = body.bytes, !bytes.isEmpty else {
            return CallLog.Body(mediaType: mediaType, size: body.size, text: body.outline.map { text($0, redactor) }, base64: nil, isTruncated: body.size != 0)
        }
        let isTruncated = body.size.map { $0 > Int64(bytes.count) } ?? true
        let shown = isSecret ? (text: Redactor.mask, base64: nil) : mask.content(bytes, type: MediaType(type), isTruncated: isTruncated)
        return CallLog.Body(
            mediaType: mediaType, size: body.size, text: shown.text, base64: shown.base64,
            isTruncated: isTruncated || shown.text == nil && shown.base64 == nil)
    }
}

/// The value of a header field for the log.
package enum LoggedField {
    package static func value(of field: HTTPField, _ redactor: Redactor) -> String {
        // The names of cookies tell which are sent.
        switch field.name {
        case .cookie: field.value.split(separator: ";").map { cookie($0) }.joined(separator: "; ")
        case .setCookie: setCookie(field.value)
        default: redactor.value(of: field)
        }
    }

    private static func cookie(_ pair: Substring) -> String {
        let pair = pair.trimmed
        return (pair.firstIndex(of: "=").map { String(pair[...$0]) } ?? "") + Redactor.mask
    }

    private static func setCookie(_ text: String) -> String {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        return ([cookie(parts[0])] + parts.dropFirst().map(attribute)).joined(separator: "; ")
    }

    private static func attribute(_ part: Substring) -> String {
        let part = part.trimmed, name = part.prefix { $0 != "=" }
        return attributes.contains(name.trimmed.lowercased()) ? part : Redactor.mask
    }

    private static let attributes: Set<String> = ["path", "domain", "expires", "max-age", "samesite", "secure", "httponly", "partitioned", "priority"]
}
