#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
@_spi(TarmacRooms) import TarmacCore
import TarmacSupport
import TarmacResilience

/// Storing the server's response.
extension CacheTransaction {
    /// Returns the server's response, and stores it if that is allowed.
    ///
    /// - Parameters:
    ///   - reason: the reason for asking the server.
    ///   - stored: the stored entry that the response may be about.
    func keep(_ response: Response, sent: Date, _ reason: CacheStatusField.Reason, stored: CacheStores.Found?) async throws -> Response {
        var field = CacheStatusField(outcome: .forwarded(reason))
        field.isToldApart = subject.isToldApart && reason == .uriMiss
        var response = response
        if subject.isQuestion, request.method == .post { await forgetWhatGetBrings(response) }
        if request.method == .head, !rule.isTimed {
            await note(head: response, sent: sent, stored)
        } else if response.status == .notModified, let stored {
            // The call has its own condition. If the server confirms the stored response, the entry is fresh again
            // (§4.3.4).
            if await isSelected(stored, by: response) { await note(freshened(stored, by: response, sent: sent), by: response) }
        } else if response[OtherCaller.self] == nil {
            (response, field.isStored, field.isCollapsed) = await storing(response, sent: sent, inPlaceOf: stored)
        }
        return marked(response, field)
    }

    /// Whether a 304 is about the stored entry. If neither side has a validator, it is only if no other entry is
    /// stored.
    private func isSelected(_ stored: CacheStores.Found, by response: Response) async -> Bool {
        let isOwn = CacheValidation.asks(request.headers, about: stored.entry.headers)
        guard CacheValidation.selects(response.headers, stored.entry.headers, isOwnCondition: isOwn) else { return false }
        if CacheValidation.hasValidator(stored.entry.headers) { return true }
        return await stores.find(subject.key, for: context).found.count == 1
    }

    /// The effect of a response on the store.
    enum Effect {
        case store, none
        /// The server does not want the response stored any longer (RFC 9111 §5.2.2.5).
        case drop
    }

    func effect(of response: Response) -> Effect {
        if isChanged || response[OtherCaller.self] != nil { return .none }
        if rule.isTimed, rule.overridesServer { return .store }
        if CacheDirectives(ofRequest: request.headers).isNoStore { return .none }
        let directives = CacheDirectives(response.headers)
        return directives.forbidsStoring ? .drop : .store
    }

    /// Whether a response to the call's own Range may be the part, which servers also send under the status 200.
    private func mayBePart(_ response: Response) -> Bool {
        guard request.headers.contains(.range), response.status != .partialContent else { return false }
        let asked: Int64? =
            switch ByteRange(request.headers) {
            case .closed(let first, let last): last - first + 1
            case .last(let count): count
            case .from, nil: nil
            }
        return response.headers.contains(.contentRange) || asked != nil && asked == response.bodyLength
    }

    /// Whether a change or a removal came after the request.
    var isChanged: Bool { context.changes.isChanged(subject.key.url, since: mark) }

    /// Stores a complete body. Returns whether it is stored or will be.
    func put(_ entry: CacheEntry, _ body: Bytes) async -> Bool {
        if isChanged { return false }
        guard await stores.publish(entry, body: body, for: context) else { return false }
        guard isChanged else { return true }
        // A change in the meantime has removed the earlier entries.
        await stores.remove(.entry(entry.id), for: context)
        return false
    }

    /// Updates a stored entry, unless a change or a removal came after the request.
    func update(_ entry: CacheEntry, in writeQueue: CacheWriteQueue) async {
        await writeQueue.update(entry, for: context)
        if isChanged { await stores.remove(.entry(entry.id), for: context) }
    }

    private func storing(
        _ response: Response, sent: Date, inPlaceOf stored: CacheStores.Found?
    ) async -> (Response, isStored: Bool, isCollapsed: Bool) {
        if isChanged || mayBePart(response) { return (response, false, false) }
        // A stream keeps only the beginning of a failure's body.
        let isCut = !context.delivery.isBuffered && response.verdict?.error != nil
        let answer = CacheStorage.Answer(
            method: request.method, requestURL: request.question.url, request: request.headers, status: response.status, headers: response.headers,
            isSuccess: response.verdict.map { $0.error == nil } ?? false)
        switch CacheStorage(rule: rule).decide(answer) {
        case .pass: return (response, false, false)
        case .forget:
            await forget()
            return (response, false, false)
        case .store:
            guard !isCut, let entry = entry(response, sent: sent) else { return (response, false, false) }
            if let shared = response[SharedResponse.self], !shared.rights.take(.storing) { return (response, false, true) }
            // The new response may vary by other fields, and the old one would then stay (§4.3.3).
            if let stored, stored.entry.variant != entry.variant { await stores.remove(.entry(stored.entry.id), for: context) }
            let (response, isStored) = await publish(response, entry, range: wholeRange(of: response, entry))
            return (response, isStored, false)
        case .storePart(let range):
            guard !isCut, let part = entry(response, sent: sent), part.form == .plain else { return (response, false, false) }
            let (response, isStored) = await publish(response, part: part, range, sent: sent)
            return (response, isStored, false)
        }
    }

    /// Stores a body, or a body while it arrives; both after the response was delivered.
    ///
    /// - Parameter range: the bytes that the body must be, if that is known.
    func publish(_ response: Response, _ entry: CacheEntry, range: ReceivedRange?, joining base: CacheEntry? = nil) async -> (Response, isStored: Bool) {
        switch response.body {
        case .bytes(let bytes):
            if response.status == .partialContent, let range, range.length != Int64(bytes.count) { return (response, false) }
            return (response, await put(entry, bytes))
        case .stream(let stream):
            guard let writeQueue = stores.writeQueue(for: entry) else { return (response, false) }
            let recording = range.map { CacheRecording(range: $0, isExact: response.status == .partialContent, base: base, keepsBroken: keepsBroken(entry)) }
            let tee = CacheBodyRecorder(entry, into: writeQueue, recording, since: mark, for: context)
            // Setting a body would have the response judged again, and it is judged already.
            let verdict = response.verdict
            var response = response
            response.body = .stream(ByteStream { CachedSource(stream, tee) })
            response.verdict = verdict
            // It is not known yet whether the reader reaches the end.
            return (response, false)
        }
    }

    /// A POST that asks may still change something (§4.4). The responses to other bodies stay, because the app allows
    /// that.
    private func forgetWhatGetBrings(_ response: Response) async {
        let urls = ChangedURLs.of(method: request.method, url: request.question.url, status: response.status, headers: response.headers)
        if urls.isEmpty { return }
        let own = request.question.url.string
        let others = cacheState.forms(of: urls.filter { $0 != own }).filter { $0 != own && $0 != subject.key.url }
        context.changes.note(others)
        for key in subject.keysOfGet { await stores.remove(.key(key), for: context) }
        for url in others { await stores.remove(.url(url), for: context) }
    }

    private func forget() async {
        // The variants of other requests may still be valid.
        let (found, _) = await stores.find(subject.key, for: context)
        for found in found where CacheVariant(found.entry.headers).matches(subject.selecting, stored: found.entry.variant, of: nil) {
            await stores.remove(.entry(found.entry.id), for: context)
        }
    }

    /// Returns the entry to store, or `nil` if the form of the body's bytes is unknown.
    func entry(_ response: Response, sent: Date) -> CacheEntry? {
        let trace = response[CacheResponseInfo.self]
        let isDecoding = context.capabilities.contains(.decodesContent)
        guard let form = CacheStorage.form(of: response, isDecoded: response.isDecoded, transportDecodes: isDecoding) else { return nil }
        var headers = CacheValidation.storable(response.headers).withoutQualified
        if form == .decoded { for name in [HTTPField.Name.contentEncoding, .contentLength] { headers[name] = nil } }
        headers = headers.dated(trace?.received ?? now)
        return CacheEntry(
            key: subject.key, variant: CacheVariant(response.headers).text(of: subject.selecting) ?? "", url: request.url, redactor: context.redactor,
            status: response.status, headers: headers, requestDate: trace?.sent ?? sent, responseDate: trace?.received ?? now, form: form,
            bodyLength: Int64(response.body.collected?.count ?? 0), terms: rule.isTimed ? subject.terms : nil,
            tags: tags, isDurable: !tellsSecret(headers))
    }

    /// The call's tags, and the one of its endpoint.
    private var tags: Set<String> {
        var tags = Set(context.options.values.tags.map(\.name))
        tags.insert(CacheSelection.endpointTag(context.endpoint))
        return tags
    }

    /// Whether a response field, or a field that the response varies by, must not be in a file.
    func tellsSecret(_ headers: HTTPFields) -> Bool {
        headers.contains(.setCookie) || CacheVariant(headers).names?.contains { HTTPField.Name($0).map(context.redactor.isSecret) ?? true } ?? false
    }

    // MARK: HEAD

    /// Updates or invalidates the stored response after a HEAD (RFC 9111 §4.3.5).
    private func note(head response: Response, sent: Date, _ stored: CacheStores.Found?) async {
        guard let stored else { return }
        switch CacheInvalidation.verdict(ofHead: response.status, response.headers, on: stored.entry) {
        case .confirms:
            await note(freshened(stored, by: response, sent: sent), by: response)
            return
        case .saysNothing: return
        case .contradicts: break
        }
        var entry = stored.entry
        entry.isInvalidated = true
        await update(entry, in: stored.writeQueue)
    }
}

extension CacheEntry {
    /// Returns the entry with other bytes of a body that has `total` bytes.
    func holding(_ ranges: StoredRanges, of total: Int64) -> CacheEntry {
        var entry = self
        (entry.bodyLength, entry.part) = (ranges.length, ranges.part(of: total))
        guard entry.part != nil else {
            entry.complete(total)
            return entry
        }
        entry.status = .partialContent
        entry.headers[.contentLength] = nil
        return entry
    }

    /// Turns parts that form the whole body into a 200 with its length (RFC 9110 §15.3.7.3).
    mutating func complete(_ total: Int64) {
        status = .ok
        part = nil
        headers[.contentLength] = "\(total)"
    }
}

extension HTTPFields {
    /// Returns the fields with the time of arrival as the date, if the server sends none (RFC 9110 §6.6.1).
    func dated(_ received: Date) -> HTTPFields {
        if contains(.date) { return self }
        var dated = self
        dated[.date] = HTTPDate.text(ofSecondsSince1970: received.timeIntervalSince1970)
        return dated
    }

    /// The fields that `no-cache` names. A validation delivers them only to the call that asked.
    var qualified: [HTTPField] {
        guard case .fields(let names)? = CacheDirectives(self).noCache else { return [] }
        return filter { names.contains($0.name.canonicalName) }.map(\.self)
    }

    /// The fields without those that `no-cache` names (RFC 9111 §5.2.2.4). Fields that are not stored need no
    /// validation.
    var withoutQualified: HTTPFields {
        guard mayRestrict, case .fields(let names)? = CacheDirectives(self).noCache else { return self }
        return filter { !names.contains($0.name.canonicalName) }
    }
}
