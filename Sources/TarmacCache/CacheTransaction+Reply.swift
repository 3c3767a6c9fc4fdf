import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// Responses from stored entries.
extension CacheTransaction {
    /// Returns the response to a hit whose body is available, or `nil` if the body must be read or is damaged.
    func respondAtOnce(with found: CacheStores.Found, _ freshness: CacheFreshness) -> Response? {
        guard request.method != .head, let body = found.bodyAtOnce(), Int64(body.count) == found.entry.bodyLength else { return nil }
        let fields = cacheState.facts(found.entry).fields(freshness)
        let response = Response(status: found.entry.status, headers: fields, body: .bytes(body), url: request.url)
        return sourced(response, found, source: freshness.isFresh ? .cache : .staleCache)
    }

    /// Returns the response, or `nil` if the body is gone or damaged.
    ///
    /// - Parameter status: the reason for asking the server, if it was asked; otherwise a hit.
    func respond(
        with found: CacheStores.Found, _ reply: CachePolicy.Reply, _ freshness: CacheFreshness, source: ResponseSource,
        _ status: CacheStatusField? = nil
    ) async throws -> Response? {
        let entry = found.entry
        var response = Response(status: entry.status, headers: entry.headers.withoutAge, url: request.url)
        response.headers.append(HTTPField(name: .age, value: String(freshness.ageField)))
        switch reply {
        case .notModified:
            response.status = .notModified
            response.headers = response.headers.filter { !Self.ofContent.contains($0.name) }
        case .whole where request.method == .head: break
        case .whole:
            guard let body = await found.body(for: context), let delivered = try await delivered(body, entry) else { return nil }
            response.body = delivered
        case .part(let bytes):
            guard let body = await found.body(for: context), let delivered = try await delivered(body, entry, bytes) else { return nil }
            response.body = delivered
            response.status = .partialContent
            response.headers[.contentRange] = ReceivedRange.text(bytes, of: entry.part?.total ?? entry.bodyLength)
            response.headers[.contentLength] = "\(bytes.length)"
        }
        let said = status ?? CacheStatusField(outcome: .hit(timeToLive: freshness.timeToLiveField))
        return marked(sourced(response, found, source: source), said)
    }

    private func sourced(_ response: consuming Response, _ found: CacheStores.Found, source: ResponseSource) -> Response {
        response.source = source
        response.isDecoded = found.entry.form == .decoded
        response[StoredResponse.self] = StoredResponse(origin: CacheReference(writeQueue: found.writeQueue, entry: found.entry))
        return response
    }

    /// The fields that describe a body. A 304 does not repeat them.
    private static let ofContent: Set<HTTPField.Name> = [.contentLength, .contentType, .contentEncoding, .contentLanguage, .contentRange]

    /// Returns the response with a field that describes the work of the cache (RFC 9211).
    func marked(_ response: consuming Response, _ status: CacheStatusField) -> Response {
        response.headers.append(HTTPField(name: .cacheStatus, value: status.text))
        return response
    }

    /// Returns the body in the form that the call needs, or `nil` if it is damaged.
    private func delivered(_ body: ResponseBody, _ entry: CacheEntry, _ bytes: Range<Int64>? = nil) async throws -> ResponseBody? {
        var wanted: Range<Int64>?
        if let bytes {
            guard let place = StoredRanges(entry).place(of: bytes) else { return nil }
            wanted = place
        }
        switch body {
        case .bytes(let all):
            guard Int64(all.count) == entry.bodyLength else { return nil }
            return .bytes(wanted.map { all.slice($0) } ?? all)
        case .stream(let stream):
            let stream = wanted.map { range in ByteStream { SlicedSource(stream, range) } } ?? stream
            guard context.delivery.isBuffered else { return .stream(stream) }
            do { return .bytes(try await stream.collect(upTo: context.options.values.maximumBodySize)) } catch let error as TarmacError
                where error.code == .bodyTooLarge
            {
                throw error
            } catch is CancellationError { throw CancellationError() } catch { return nil }
        }
    }

    func collected(_ body: ResponseBody) async throws -> Bytes {
        switch body {
        case .bytes(let bytes): bytes
        case .stream(let stream): try await stream.collect(upTo: context.options.values.maximumBodySize)
        }
    }
}

extension Bytes {
    /// Returns the bytes of a range within the body.
    func slice(_ range: Range<Int64>) -> Bytes {
        if range.lowerBound == 0, range.upperBound == Int64(count) { return self }
        return withUnsafeBytes { Bytes([UInt8]($0[Int(range.lowerBound)..<Int(range.upperBound)])) }
    }
}
