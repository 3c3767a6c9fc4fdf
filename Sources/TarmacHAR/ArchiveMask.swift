#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCallLog
import TarmacCore
import TarmacMasking

/// Masks the calls of an archive that has the members of Tarmac, because any program may have written them (pure). A call that is masked
/// already does not change.
struct ArchiveMask {
    private let redactor = Redactor.standard
    private let known: KnownSecrets

    init(_ entry: CallLog.Entry) {
        var known = KnownSecrets()
        for request in (entry.request.map { [$0] } ?? []) + entry.attempts.map(\.request) {
            guard let message = Self.message(request) else { continue }
            redactor.add(message, to: &known)
        }
        known.prepare()
        self.known = known
    }

    private static func message(_ request: CallLog.Request) -> TarmacCore.Request? {
        guard let url = HARAddress.url(request.url) else { return nil }
        let body = request.body.flatMap { body in body.text.map { TarmacCore.Body.bytes(Bytes($0), contentType: body.mediaType) } }
        return TarmacCore.Request(.get, url, headers: HTTPFields(request.headers), body: body ?? .none)
    }

    func entry(_ entry: CallLog.Entry) -> CallLog.Entry {
        var entry = entry
        (entry.endpoint, entry.service, entry.tags) = (value(entry.endpoint), value(entry.service), entry.tags.map(value))
        (entry.request, entry.response) = (entry.request.map(message), entry.response.map(answer))
        entry.attempts = entry.attempts.map(attempt)
        entry.failure = entry.failure.map(failure)
        entry.events = entry.events.map { CallLog.Event(at: $0.at, kind: $0.kind, text: text($0.text)) }
        return entry
    }

    private func attempt(_ attempt: CallLog.Attempt) -> CallLog.Attempt {
        CallLog.Attempt(
            number: attempt.number, reason: attempt.reason.map(value), began: attempt.began, request: message(attempt.request),
            response: attempt.response.map(answer), failure: attempt.failure.map(failure),
            timings: attempt.timings.map { $0.replacingAddress($0.remoteAddress.map(value)) })
    }

    private func failure(_ failure: CallLog.Failure) -> CallLog.Failure { CallLog.Failure(code: value(failure.code), text: text(failure.text)) }

    private func message(_ request: CallLog.Request) -> CallLog.Request {
        CallLog.Request(
            method: HTTPRequest.Method(request.method)?.rawValue ?? "GET", url: url(request.url), headers: request.headers.map(field),
            body: request.body.map(body))
    }

    private func answer(_ response: CallLog.Response) -> CallLog.Response {
        CallLog.Response(
            status: response.status, reasonPhrase: value(response.reasonPhrase), version: response.version.flatMap { HARAddress.isVersion($0) ? $0 : nil },
            headers: response.headers.map(field), body: response.body.map(body), source: response.source.flatMap(ResponseSource.init)?.rawValue)
    }

    // MARK: Texts

    private func text(_ text: String) -> String { redactor.text(text, known: known) }

    /// A text of another program, which may be a secret by its shape.
    private func value(_ text: String) -> String { maskingKnown(redactor.value(text)) }

    private func maskingKnown(_ text: String) -> String {
        known.isEmpty ? text : SecretText(names: .none, in: .inAddresses, known: known).masked(text) { _ in Redactor.mask }
    }

    /// A masked URL may be no valid one, so its parts are masked as texts.
    private func url(_ text: String) -> String {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let base = value(String(parts[0]))
        return parts.count == 1 ? base : maskingKnown("\(base)?\(redactor.form(String(parts[1])))")
    }

    private func field(_ field: CallLog.Field) -> CallLog.Field {
        guard let name = HTTPField.Name(field.name) else { return CallLog.Field(name: value(field.name), value: Redactor.mask) }
        return CallLog.Field(name: field.name, value: maskingKnown(LoggedField.value(of: HTTPField(name: name, value: field.value), redactor)))
    }

    private func body(_ body: CallLog.Body) -> CallLog.Body {
        let type = MediaType(body.mediaType), mask = BodyMask(redactor: redactor, known: known)
        let image = body.base64.flatMap { Data(base64Encoded: $0) }.flatMap { mask.content(Bytes($0), type: type, isTruncated: false).base64 }
        return CallLog.Body(
            mediaType: body.mediaType.map(value), size: body.size, text: body.text.map { mask.text($0, type: type) }, base64: image,
            isTruncated: body.isTruncated)
    }
}

extension HTTPFields {
    /// The fields without those that are masked. `sid=‹masked›` as a secret would be masked once more.
    fileprivate init(_ fields: [CallLog.Field]) {
        self.init()
        for field in fields where !field.value.contains(Redactor.mask) {
            guard let name = HTTPField.Name(field.name) else { continue }
            // A call with more fields was left out.
            do { try add(HTTPField(name: name, value: field.value)) } catch { continue }
        }
    }
}
