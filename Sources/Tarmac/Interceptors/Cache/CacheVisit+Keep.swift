#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes

/// Storing what the server answers.
extension CacheVisit {
    /// The server's answer, stored where it may be.
    ///
    /// - Parameters:
    ///   - miss: why the server was asked; `nil` when the response is marked already.
    ///   - stored: what it may be about.
    func keep(_ response: Response, sent: Date, _ miss: CacheMiss?, stored: CacheStores.Found?) async throws -> Response {
        var field = CacheStatusField(outcome: .forwarded((miss ?? .missing).forwardReason))
        var response = response
        if request.method == .head, !rule.isTimed {
            await note(head: response, sent: sent, stored)
        } else if response.status == .notModified, let stored {
            // The caller's own condition; what he has is what is stored, if the server says so (§4.3.4).
            if CacheValidation.selects(response.headers, stored.entry.headers), response.headers.contains(.eTag) || !stored.entry.headers.contains(.eTag) {
                _ = await freshened(stored, by: response, sent: sent)
            }
        } else if response.cacheTrace?.hasOtherCredentials != true {
            (response, field.isStored, field.isCollapsed) = await storing(response, sent: sent)
        }
        return miss == nil ? response : marked(response, field)
    }

    private func storing(_ response: Response, sent: Date) async -> (Response, isStored: Bool, isCollapsed: Bool) {
        // Of a failure a stream keeps the beginning alone.
        let isCut = !context.delivery.isBuffered && response.verdict?.error != nil
        let answer = CacheStorage.Answer(
            method: request.method, requestURL: request.url, request: request.headers, status: response.status, headers: response.headers,
            isSuccess: response.verdict.map { $0.error == nil } ?? false)
        switch CacheStorage(rule: rule).decide(answer) {
        case .pass: return (response, false, false)
        case .forget:
            await forget()
            return (response, false, false)
        case .store:
            if isCut { return (response, false, false) }
            if let claim = response.cacheTrace?.claim, !claim.take() { return (response, false, true) }
            let (response, isStored) = await publish(response, entry(response, sent: sent), expected: nil)
            return (response, isStored, false)
        case .storePart(let offset, let length, let total):
            if isCut { return (response, false, false) }
            var part = entry(response, sent: sent)
            part.part = CacheEntry.Part(offset: offset, total: total)
            part.headers[.contentRange] = nil
            part.headers[.contentLength] = nil
            if part.form != .plain { return (response, false, false) }
            if let joined = await joined(part, response, length) { return (response, joined, false) }
            let (response, isStored) = await publish(response, part, expected: length)
            return (response, isStored, false)
        }
    }

    /// Stores a body that is there, or goes along with one that arrives.
    private func publish(_ response: Response, _ entry: CacheEntry, expected: Int64?) async -> (Response, isStored: Bool) {
        switch response.body {
        case .bytes(let bytes):
            if let expected, expected != Int64(bytes.count) { return (response, false) }
            let isStored = await stores.publish(entry, body: bytes, tell: tell)
            if isStored { context.emit(.cacheStored(bytes: Int64(bytes.count))) }
            return (response, isStored)
        case .stream(let stream):
            guard let writer = await stores.makeWriter(for: entry, tell: tell) else { return (response, false) }
            let tee = CacheTee(entry, writer, expected: expected) { [context, stores] outcome in
                switch outcome {
                case .success(let bytes): context.emit(.cacheStored(bytes: bytes))
                case .failure(let error): stores.tellFailure(error, of: stores.store(for: entry)) { context.emit(.cacheFailed($0)) }
                }
            }
            // Setting a body has a response judged anew, and this one is judged already.
            let verdict = response.verdict
            var response = response
            response.body = .stream(ByteStream { CachedSource(stream, tee) })
            response.verdict = verdict
            return (response, true)
        }
    }

    private func forget() async {
        // Variants of other requests may still be good.
        let (found, _) = await stores.find(subject.key, tell: tell)
        for found in found where CacheVariant(found.entry.headers).matches(subject.selecting, stored: found.entry.variant, language: nil) {
            await stores.remove(.entry(found.entry.id), tell: tell)
        }
    }

    private func entry(_ response: Response, sent: Date) -> CacheEntry {
        let trace = response.cacheTrace
        let isDecoded = trace?.isDecoded == true || context.runtime.transport.capabilities.contains(.decodesContent)
        var headers = CacheValidation.storable(response.headers)
        if let fields = CacheDirectives(headers).qualifiedFields { headers = headers.filter { !fields.contains($0.name.canonicalName) } }
        if isDecoded { for name in [HTTPField.Name.contentEncoding, .contentLength] { headers[name] = nil } }
        let variant = CacheVariant(response.headers)
        let tellsSecret = headers.contains(.setCookie) || variant.names?.contains { HTTPField.Name($0).map(context.redactor.isSecret) ?? true } ?? false
        return CacheEntry(
            key: subject.key, variant: variant.text(of: subject.selecting) ?? "", shownURL: context.redactor.url(request.url), status: response.status,
            headers: headers, requestDate: trace?.sent ?? sent, responseDate: trace?.received ?? now, form: isDecoded ? .decoded : .plain,
            bodyLength: Int64(response.body.collected?.count ?? 0), terms: rule.isTimed ? subject.terms(values) : nil,
            tags: Set(values.tags.map(\.name)), isDurable: !tellsSecret)
    }

    // MARK: HEAD

    /// RFC 9111 §4.3.5.
    private func note(head response: Response, sent: Date, _ stored: CacheStores.Found?) async {
        guard response.status == .ok, let stored else { return }
        guard CacheInvalidation.contradicts(response.headers, stored.entry) else {
            _ = await freshened(stored, by: response, sent: sent)
            return
        }
        var entry = stored.entry
        entry.isInvalidated = true
        await stores.update(entry, in: stored.store, tell: tell)
    }

    // MARK: Parts

    /// Asks for the bytes that are missing and puts them together (RFC 9111 §3.4).
    func complete(_ found: CacheStores.Found?, _ range: String) async throws -> Response {
        guard let found, let part = found.entry.part, context.delivery.isBuffered, let old = await found.body(), let stored = try? await collected(old)
        else { return try await load(.range, stored: nil) }
        var request = request
        request.headers[.range] = range
        request.headers[.ifRange] = found.entry.headers[.eTag]
        let sent = now
        let response = try await forward(request)
        guard response.status == .partialContent else { return try await keep(response, sent: sent, .range, stored: nil) }
        guard let new = ReceivedRange(response.headers), new.total == part.total, PartialContent.isCombinable(found.entry.headers, response.headers),
            let bytes = Self.joined(stored, part.offset, response, new), bytes.offset == 0, Int64(bytes.bytes.count) == part.total
        else { return try await load(.range, stored: nil) }
        var whole = entry(response, sent: sent)
        whole.status = .ok
        whole.headers = CacheValidation.merged(found.entry.headers, with: whole.headers)
        for name in [HTTPField.Name.contentRange, .contentLength] { whole.headers[name] = nil }
        whole.bodyLength = part.total
        let isStored = await stores.publish(whole, body: bytes.bytes, tell: tell)
        if isStored { context.emit(.cacheStored(bytes: part.total)) }
        var complete = Response(status: .ok, headers: whole.headers, body: .bytes(bytes.bytes), url: response.url, version: response.version)
        complete.source = .validatedCache
        var field = CacheStatusField(outcome: .forwarded(.partial))
        (field.forwardStatus, field.isStored) = (206, isStored)
        return marked(complete, field)
    }

    /// Adds a new part to the one that is stored; `nil` when they do not fit, and the new one is stored by itself.
    private func joined(_ part: CacheEntry, _ response: Response, _ length: Int64) async -> Bool? {
        guard let range = ReceivedRange(response.headers), response.body.collected.map({ Int64($0.count) }) == length else { return nil }
        let (found, _) = await stores.find(subject.key, tell: tell)
        guard let old = found.first(where: { $0.entry.variant == part.variant && $0.entry.part != nil }), let oldPart = old.entry.part,
            oldPart.total == range.total, PartialContent.isCombinable(old.entry.headers, response.headers), let body = await old.body(),
            let stored = try? await collected(body), let bytes = Self.joined(stored, oldPart.offset, response, range)
        else { return nil }
        var entry = part
        let isWhole = bytes.offset == 0 && Int64(bytes.bytes.count) == range.total
        entry.part = isWhole ? nil : CacheEntry.Part(offset: bytes.offset, total: range.total)
        entry.status = isWhole ? .ok : .partialContent
        entry.headers = CacheValidation.merged(old.entry.headers, with: part.headers)
        entry.bodyLength = Int64(bytes.bytes.count)
        return await stores.publish(entry, body: bytes.bytes, tell: tell)
    }

    private static func joined(_ stored: Bytes, _ offset: Int64, _ response: Response, _ range: ReceivedRange) -> (bytes: Bytes, offset: Int64)? {
        guard let new = response.body.collected, Int64(new.count) == range.length else { return nil }
        let join = PartialContent.join(stored: offset..<offset + Int64(stored.count), new: range.offset..<range.offset + range.length)
        switch join {
        case nil: return nil
        case .append(let keep): return (Bytes(stored.slice(0..<keep).array + new.array), offset)
        case .prepend(let skip): return (Bytes(new.array + stored.slice(skip..<Int64(stored.count)).array), range.offset)
        }
    }
}

extension CacheDirectives {
    /// The fields that no-cache is about (RFC 9111 §5.2.2.4): not stored, they need no validation.
    var qualifiedFields: Set<String>? {
        if case .fields(let names)? = noCache { names } else { nil }
    }
}
