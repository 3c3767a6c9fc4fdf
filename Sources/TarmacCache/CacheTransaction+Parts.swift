#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
@_spi(TarmacRooms) import TarmacCore
import TarmacResilience

/// Storing parts of a body and joining them (RFC 9111 §3.3, §3.4).
extension CacheTransaction {
    /// The largest stored body that a part is added to. A larger one would be written again and again for little.
    private static let largestJoined: Int64 = 16 << 20

    // MARK: Storing

    /// Stores a part: by itself, or with the stored bytes of the same version.
    func publish(_ response: Response, part: CacheEntry, _ range: ReceivedRange, sent: Date) async -> (Response, isStored: Bool) {
        var part = part
        (part.headers[.contentRange], part.headers[.contentLength]) = (nil, nil)
        // A range that covers the whole body is no part (RFC 9110 §15.3.7.3).
        if range.length == range.total {
            part.complete(range.total)
            return await publish(response, part, range: range)
        }
        part.part = CacheEntry.Part(offset: range.offset, total: range.total)
        let same = await stores.find(subject.key, for: context).found.filter { $0.entry.variant.isExactly(part.variant) }
        if let whole = same.first(where: { $0.entry.part == nil }) {
            // The whole body is stored already. The part confirms it, or is no reason to remove it.
            if whole.entry.form == .plain, whole.entry.status == .ok, isCombinable(whole.entry, response) {
                await note(freshened(whole, by: response, sent: sent), by: response)
                return (response, true)
            }
            if freshness(whole.entry).isFresh, !whole.entry.isInvalidated { return (response, false) }
        } else if let old = same.first, old.entry.part?.total == range.total, isCombinable(old.entry, response),
            let joined = StoredRanges(old.entry).joined(with: range.bytes)
        {
            return await publish(response, part, range, joined, to: old, sent: sent)
        }
        return await publish(response, part, range: range)
    }

    /// Stores a part together with the stored bytes.
    private func publish(
        _ response: Response, _ part: CacheEntry, _ range: ReceivedRange, _ joined: StoredRanges.Joined, to old: CacheStores.Found, sent: Date
    ) async -> (Response, isStored: Bool) {
        let isWhole = joined.ranges.part(of: range.total) == nil
        guard isWhole || old.entry.bodyLength <= Self.largestJoined, let entry = combined(old.entry, response, joined, sent: sent) else {
            return (response, false)
        }
        guard case .bytes(let new) = response.body else { return await publishStream(response, entry, range, joining: old) }
        guard Int64(new.count) == range.length, let stored = await bytes(of: old) else { return (response, false) }
        return (response, await put(entry, joined.body(stored, new)))
    }

    /// Stores a part that arrives as a stream together with the bytes in its store.
    private func publishStream(
        _ response: Response, _ entry: CacheEntry, _ range: ReceivedRange, joining old: CacheStores.Found
    ) async -> (Response, isStored: Bool) {
        guard let writeQueue = stores.writeQueue(for: entry), writeQueue === old.writeQueue else { return (response, false) }
        return await publish(response, entry, range: range, joining: old.entry)
    }

    /// Returns the entry of stored and new bytes together, with the fields of both (RFC 9111 §3.4), or `nil` if the new
    /// ones cannot be stored.
    private func combined(_ old: CacheEntry, _ response: Response, _ joined: StoredRanges.Joined, sent: Date) -> CacheEntry? {
        guard let new = entry(response, sent: sent), new.form == .plain else { return nil }
        var headers = CacheValidation.merged(old.headers, with: new.headers)
        (headers[.contentRange], headers[.contentLength]) = (nil, nil)
        guard let variant = CacheVariant(headers).text(of: subject.selecting), let total = old.part?.total else { return nil }
        var entry = CacheEntry(
            key: new.key, variant: variant, shownURL: new.shownURL, status: .partialContent, headers: headers, requestDate: new.requestDate,
            responseDate: new.responseDate, part: joined.ranges.part(of: total), bodyLength: joined.ranges.length, tags: old.tags.union(new.tags),
            isDurable: new.isDurable && !tellsSecret(headers))
        if entry.part == nil { entry.complete(total) }
        return entry
    }

    /// Whether a response and an entry are about the same bytes: they have the same strong validator.
    private func isCombinable(_ entry: CacheEntry, _ response: Response) -> Bool {
        let received = (response[CacheResponseInfo.self]?.received ?? now).timeIntervalSince1970
        guard let validator = StrongValidator(entry) else { return false }
        return validator == StrongValidator(response.headers, received: received)
    }

    /// Returns the whole stored body, or `nil` if it is gone or damaged.
    private func bytes(of found: CacheStores.Found) async -> Bytes? {
        guard let body = await found.body(for: context), let bytes = try? await collected(body), Int64(bytes.count) == found.entry.bodyLength else {
            return nil
        }
        return bytes
    }

    /// Returns the bytes that a 200 must have, if its length is known and counts the bytes that are stored.
    func wholeRange(of response: Response, _ entry: CacheEntry) -> ReceivedRange? {
        guard request.method == .get, response.status == .ok, entry.form == .plain, !rule.isTimed,
            let length = response.headers[values: .contentLength].first.flatMap({ Int64($0) }), length > 0
        else { return nil }
        return ReceivedRange(offset: 0, length: length, total: length)
    }

    /// Whether the beginning of a body that breaks off may be stored: only a strong validator allows adding the rest,
    /// and the bytes must be those of the server. Interceptors below the cache may have changed them, and a transport
    /// may have removed a coding.
    func keepsBroken(_ entry: CacheEntry) -> Bool {
        subject.settings.protection.isEmpty && context.options.values.attemptInterceptors.isEmpty
            && !context.capabilities.contains(.decodesContent) && StrongValidator(entry) != nil
    }

    // MARK: Completing

    /// Requests the missing bytes and joins them with the stored ones. Where that fails, the call's own request is sent.
    func complete(_ found: CacheStores.Found?, _ completion: CachePolicy.Completion) async throws -> Response {
        guard let found, mayComplete(found.entry, completion), let stored = await stored(found) else { return try await load(.range, stored: nil) }
        let sent = now
        let response = try await forward(asking(for: completion))
        // These are about the range of the cache, which the call did not ask for.
        if [304, 412, 416].contains(response.status.code) || mayBeRest(response, completion) { return try await load(.range, stored: nil) }
        guard response.status == .partialContent else { return try await keep(response, sent: sent, .partial, stored: found) }
        guard let join = join(found, completion, response, sent: sent) else { return try await load(.range, stored: nil) }
        if case .stream = response.body { return await answer(streaming: join, completion, stored, response) }
        guard case .bytes(let old) = stored.before, Int64(old.count) == found.entry.bodyLength, case .bytes(let new) = response.body,
            Int64(new.count) == join.range.length, let place = join.joined.ranges.place(of: completion.delivered)
        else { return try await load(.range, stored: nil) }
        let body = join.joined.body(old, new)
        let isStored = await store(join, by: response) { await put(join.entry, body) }
        return answer(join, completion, .bytes(body.slice(place)), response, isStored: isStored)
    }

    /// Whether a response with status 200 or 203 may be the rest of the body: servers also send that under these statuses. Its
    /// length or its validator must show that it is the whole.
    private func mayBeRest(_ response: Response, _ completion: CachePolicy.Completion) -> Bool {
        guard [200, 203].contains(response.status.code) else { return false }
        if response.headers.contains(.contentRange) { return true }
        let length = response.bodyLength
        if length == completion.total { return false }
        if length == completion.missing.length { return true }
        let validator = StrongValidator(response.headers, received: now.timeIntervalSince1970)
        return validator == completion.validator || validator == nil && length == nil
    }

    private struct Join {
        let found: CacheStores.Found
        let range: ReceivedRange
        let joined: StoredRanges.Joined
        let entry: CacheEntry
    }

    /// Returns how a response is joined with the entry, or `nil` if it is about other bytes or not enough.
    private func join(_ found: CacheStores.Found, _ completion: CachePolicy.Completion, _ response: Response, sent: Date) -> Join? {
        guard response[OtherCaller.self] == nil, let range = ReceivedRange(response.headers),
            range.total == completion.total,
            isCombinable(found.entry, response),
            let joined = StoredRanges(found.entry).joined(with: range.bytes), joined.ranges.contains(completion.delivered),
            let entry = combined(found.entry, response, joined, sent: sent)
        else { return nil }
        return Join(found: found, range: range, joined: joined, entry: entry)
    }

    /// The stored body twice, because a stream can be read once: for the bytes before the new ones, and for those
    /// behind.
    private struct Stored {
        let before: ResponseBody
        let after: ResponseBody
    }

    /// Returns the stored body, or `nil` if it is gone. It is opened before the request, because another call may remove
    /// the entry meanwhile.
    private func stored(_ found: CacheStores.Found) async -> Stored? {
        if context.delivery.isBuffered { return await bytes(of: found).map { Stored(before: .bytes($0), after: .bytes($0)) } }
        guard let before = await found.body(for: context), let after = await found.body(for: context) else { return nil }
        return Stored(before: before, after: after)
    }

    /// Whether the missing bytes are worth a request of their own.
    private func mayComplete(_ entry: CacheEntry, _ completion: CachePolicy.Completion) -> Bool {
        let isJoined = completion.wanted == nil || entry.bodyLength <= Self.largestJoined
        return isJoined && (!context.delivery.isBuffered || completion.delivered.length <= Int64(context.options.values.maximumBodySize))
    }

    /// Returns the request for the missing bytes.
    private func asking(for completion: CachePolicy.Completion) -> Request {
        var request = freshRequest
        request.headers[.range] = ByteRange.text(completion.missing, of: completion.total)
        request.headers[.ifRange] = completion.validator.text
        request.expect(.part)
        return request
    }

    /// Stores the joined entry, if that is allowed. Returns whether it is stored or will be.
    private func store(_ join: Join, by response: Response, _ put: () async -> Bool) async -> Bool {
        switch effect(of: response) {
        case .none: return false
        case .drop:
            await stores.remove(.entry(join.found.entry.id), for: context)
            return false
        case .store:
            if join.entry.variant != join.found.entry.variant { await stores.remove(.entry(join.found.entry.id), for: context) }
            return await put()
        }
    }

    /// Returns the response to the call, whose bytes come from the store and from the server.
    private func answer(_ join: Join, _ completion: CachePolicy.Completion, _ body: ResponseBody, _ response: Response, isStored: Bool) -> Response {
        var answer = Response(status: .ok, headers: join.entry.headers, body: body, url: response.url, version: response.version)
        answer.source = .validatedCache
        answer.headers[.contentLength] = "\(completion.delivered.length)"
        if let wanted = completion.wanted {
            answer.status = .partialContent
            answer.headers[.contentRange] = ReceivedRange.text(wanted, of: completion.total)
        }
        var field = CacheStatusField(outcome: .forwarded(.partial))
        (field.forwardStatus, field.isStored) = (206, isStored)
        return marked(answer, field)
    }

    /// Returns the response as a stream: the stored bytes before the new ones, the new ones, and the stored ones behind.
    ///
    /// The store may drop the stored bytes once they are replaced or removed, so both happen behind the last of them: the end
    /// of the new bytes, at which the joined entry is stored, is read last.
    private func answer(
        streaming join: Join, _ completion: CachePolicy.Completion, _ stored: Stored, _ response: Response
    ) async -> Response {
        let effect = effect(of: response), isMoved = join.entry.variant != join.found.entry.variant
        var response = response
        if effect == .store { response = await publishStream(response, join.entry, join.range, joining: join.found).0 }
        guard case .stream(let stream) = response.body else { return response }
        let new = join.range.bytes, delivered = completion.delivered, middle = new.clamped(to: delivered)
        let before = source(of: delivered.lowerBound..<max(delivered.lowerBound, middle.lowerBound), in: stored.before, of: join.found.entry)
        let after = source(of: min(delivered.upperBound, middle.upperBound)..<delivered.upperBound, in: stored.after, of: join.found.entry)
        let removal = effect == .drop || effect == .store && isMoved ? LateRemoval(of: join.found.entry.id, from: stores, for: context) : nil
        let body = ByteStream {
            let skipped = middle.lowerBound - new.lowerBound
            let received = SlicedSource(stream, skipped..<skipped + middle.length, keepsPlace: true)
            let end = EndingSource {
                if middle.upperBound == new.upperBound { try await received.readToEnd() }
                await removal?.perform()
            }
            let sources: [(any ByteStreamSource)?] = [before(), received, after(), end]
            return JoinedSource(sources.compactMap(\.self))
        }
        return answer(join, completion, .stream(body), response, isStored: false)
    }

    /// Returns the maker of a source of stored bytes; the source is `nil` if there are none in the range.
    private func source(of range: Range<Int64>, in body: ResponseBody, of entry: CacheEntry) -> @Sendable () -> (any ByteStreamSource)? {
        guard !range.isEmpty, let place = StoredRanges(entry).place(of: range) else { return { nil } }
        return { StoredSource(body.source(place), range) { await sameBytes($0, as: entry) } }
    }

    /// Returns stored bytes of the same version from the entry that has replaced the given one, as another call that completed
    /// it does.
    private func sameBytes(_ range: Range<Int64>, as old: CacheEntry) async -> (any ByteStreamSource)? {
        let found = await stores.find(old.key, for: context).found.first { found in
            found.entry.id != old.id && found.entry.form == .plain && found.entry.variant.isExactly(old.variant)
                && StrongValidator(found.entry) == StrongValidator(old) && StoredRanges(found.entry).contains(range)
        }
        guard let found, let place = StoredRanges(found.entry).place(of: range) else { return nil }
        return await found.body(for: context)?.source(place)
    }
}

extension StoredRanges.Joined {
    /// Returns the body of stored and new bytes.
    fileprivate func body(_ stored: Bytes, _ new: Bytes) -> Bytes {
        if before == 0, after == Int64(stored.count) { return new }
        return Bytes(stored.slice(0..<before).array + new.array + stored.slice(after..<Int64(stored.count)).array)
    }
}

extension Response {
    /// The length of the body, as it came or as the server states it; `nil` if neither is known.
    var bodyLength: Int64? { body.collected.map { Int64($0.count) } ?? headers[values: .contentLength].first.flatMap { Int64($0) } }
}
