#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
@_spi(TarmacRooms) import TarmacCore
import TarmacTransfer

/// The parts that all requests of a resumable upload share: its call and its content.
final class UploadContext: Sendable {
    let context: CallContext
    /// The request of the endpoint as it was built, without a body.
    let request: Request
    let source: UploadSource
    let settings: UploadProtocol
    let resume: ResumeRule
    let meter: TransferMeter?
    private let key: String
    private let owner: TransferOwner?
    /// A hash of the fields that create the upload.
    private let content: String
    /// Whether the record has a key of its own, and is removed by its owner.
    private let hasRow: Bool
    /// Whether the upload has a record that the caller can remove.
    let hasRecord: Bool
    private let ledger: TransferLedger
    private let send: @Sendable (Request) async throws -> Response

    init(
        _ context: CallContext, _ request: Request, _ source: UploadSource, _ settings: UploadProtocol, row: UploadRow? = nil, meter: TransferMeter?,
        send: @escaping @Sendable (Request) async throws -> Response
    ) async throws {
        try settings.check()
        self.context = context
        self.request = request
        self.source = source
        self.settings = settings
        self.meter = meter
        self.send = send
        resume = context.option(Settings.resume)
        let own = context.option(Settings.transferLedger)
        ledger = (own.store == nil ? context.option(Settings.transferHold)?.ledger ?? .off : own).bounded(by: context)
        hasRow = row != nil
        hasRecord = own.store != nil && row == nil
        guard ledger.store != nil else {
            (key, owner, content) = (row?.key ?? "", nil, "")
            return
        }
        let owner = try await TransferKey.owner(of: request, context)
        self.owner = owner
        content = TransferKey.content(of: try settings.wire.creation(source, request).headers, context)
        if let row {
            key = row.key
        } else {
            // Two files of one name, and one file with other fields, are two uploads: the one must not remove what is known of the other.
            let place = try await TransferKey.make("upload", request, name: source.name, context)
            key = TransferKey.text([place, source.fingerprint, content, owner.callers])
        }
    }

    /// A hash of the user, and one of the fields that create the upload.
    private var subject: String? { owner.map { TransferKey.text([$0.text]) + content } }

    var now: Date { context.time.date }

    /// Throws if the call has been cancelled or has no time left.
    func checkEnd() throws {
        try Task.checkCancellation()
        try context.checkCancellation()
        try context.checkDeadline(.connecting)
    }

    /// Returns the request that creates the upload. A second one is another operation and gets a new key, because the
    /// server would answer the old key with the first upload, which is gone. A key set by the caller stays, and that of
    /// an upload with a record of its own.
    func creation(isAnew: Bool) -> Request {
        guard isAnew, !hasRow, let key = context.options.values.idempotencyKey.minted(context.randomness.uuid),
            !context.options.callFields.contains(.idempotencyKey), request.headers.contains(.idempotencyKey)
        else { return request }
        var request = request
        request.headers[.idempotencyKey] = key
        return request
    }

    /// Returns the complete response, and ends its exchange.
    func answer(_ request: Request) async throws -> Response {
        defer { context.endStream() }
        var response = try await sent(request)
        if case .stream(let stream) = response.body {
            // The time limit of an attempt ends with the head of a success, as for every response that is streamed.
            let (limit, size) = (context.options.values.timeout.duration, context.options.values.maximumBodySize)
            response.body = .bytes(try await context.outlived(in: .receiving, atMost: limit) { try await stream.collect(upTo: size) })
        }
        return response
    }

    /// Sends a request, and notes the cookies that its response sets.
    private func sent(_ request: Request) async throws -> Response {
        do {
            let response = try await send(request)
            await renew(by: response.headers)
            return response
        } catch let error as TarmacError {
            if let head = error.response { await renew(by: head.headers) }
            throw error
        }
    }

    /// Writes the record again if the cookies of its user are others now. If that fails, a later call may have to start again.
    private func renew(by headers: HTTPFields) async {
        let before = subject
        guard let owner, owner.note(headers), var record = try? await ledger.record(for: key), record.subject == before else { return }
        record.subject = subject
        try? await ledger.save(record)
    }

    /// Returns the error for a success that says nothing about the upload, if it is a page of HTML from elsewhere, such as the login page of a
    /// network.
    func page(_ response: Response, isHead: Bool = false) -> TarmacError? {
        do throws(TarmacError) { try PortalPage.check(response, accepting: request.headers[.accept], isHead: isHead, context) } catch {
            return error.with(response: response.snapshot)
        }
        return nil
    }

    /// Returns the fields of a request for the upload: those of the call, but to another origin only those without
    /// secrets.
    func headers(_ own: HTTPFields, to url: HTTPURL) -> HTTPFields {
        let isSame = url.origin == request.url.origin
        var fields = request.headers.filter { field in
            isSame ? !Self.isOfCreation(field.name.canonicalName) : [.userAgent, .accept, .acceptEncoding].contains(field.name)
        }
        for field in own { fields[field.name] = field.value }
        return fields
    }

    private static func isOfCreation(_ name: String) -> Bool {
        name.hasPrefix("content-") || name.hasPrefix("upload-") || name == "idempotency-key" || name == "repr-digest"
    }

    /// Returns the URL that the server names, which must not be less secure.
    func checked(_ location: String, from url: HTTPURL) throws -> HTTPURL {
        do throws(TarmacError) {
            let place = try url.resolving(location)
            if url.isSecure, !place.isSecure { throw TarmacError(.redirectRefused, phase: .judging, "the server moves the upload from https to http") }
            return place
        } catch { throw TransferFault(error.with(phase: .judging)) }
    }

    func body(_ range: Range<Int64>, contentType: String) -> Body {
        let meter = meter, stream = source.slice(range)
        return .stream(
            ByteStream.steady({
                meter?.update { $0.sent = range.lowerBound }
                return MeteredSource(stream) { count in meter?.update { $0.sent += Int64(count) } }
            }), length: Int64(range.count), isReplayable: true, contentType: contentType)
    }

    func digest(_ range: Range<Int64>, _ algorithm: DigestAlgorithm) async throws -> [UInt8] {
        var digester = context.option(Settings.digesters).make(algorithm)
        for try await chunk in source.slice(range) {
            try checkEnd()
            chunk.withUnsafeBytes { digester.update($0) }
            await Task.yield()
        }
        return digester.finish()
    }

    // MARK: The ledger

    /// Returns the place of an upload that the same user has started with the same file, fields and protocol. One that has expired, or that
    /// was started with other cookies, is only returned if it may be complete.
    func recall() async throws -> UploadPlace? {
        guard ledger.store != nil, let record = try await ledger.record(for: key), let stored = record.subject, let known = record.upload,
            stored.hasSuffix(content), known.fingerprint == source.fingerprint, known.protocolName == settings.kind.rawValue, let url = try? HTTPURL(known.url)
        else { return nil }
        let mayBeComplete = known.isEndSent == true, isOfOther = !stored.isExactly(subject ?? "")
        guard mayBeComplete || !isOfOther && known.expires.map({ $0 > now }) ?? true else { return nil }
        // The record does not hold the progress, but it knows whether the end was sent.
        let sent = known.isEndSent == false ? max(0, source.length - 1) : source.length
        var place = UploadPlace(
            url: url, head: Response(status: .ok, url: url), expires: known.expires, isRecalled: true, mayBeComplete: mayBeComplete, sent: sent)
        // An entry of an outbox is of one user, whatever the cookies are.
        place.isOfOther = isOfOther && !hasRow
        return place
    }

    func note(_ place: UploadPlace) async throws {
        guard ledger.store != nil else { return }
        var record = TransferRecord(
            key: key, request: "\(request.method.rawValue) \(context.redactor.url(request.url))", name: source.name, started: now)
        (record.total, record.subject) = (source.length, subject)
        record.mark = TransferKey.mark(context.option(Settings.transferKey))
        record.upload = .init(url: place.url.string, protocolName: settings.kind.rawValue, fingerprint: source.fingerprint, expires: place.expires)
        try await ledger.save(record)
    }

    /// Notes a new expiry date of the upload. If that fails, the upload continues; a later call may have to start
    /// again.
    func note(expires: Date) async {
        guard ledger.store != nil, var record = try? await ledger.record(for: key), record.upload?.expires != expires else { return }
        record.upload?.expires = expires
        try? await ledger.save(record)
    }

    /// Notes whether the last bytes of the upload may have been sent.
    func note(isEndSent: Bool?, to place: HTTPURL) async throws {
        guard ledger.store != nil, var record = try await ledger.record(for: key), let known = record.upload, known.url.isExactly(place.string),
            known.isEndSent != isEndSent
        else { return }
        record.upload?.isEndSent = isEndSent
        try await ledger.save(record)
    }

    /// Whether the server may have the whole upload, although this call has not sent its end: another call with the ledger has, and
    /// has noted it or removed the record.
    func mayBeWhole(_ known: Int64, at place: HTTPURL) async throws -> Bool {
        guard ledger.store != nil, known == source.length else { return false }
        guard let upload = try await ledger.record(for: key)?.upload, upload.url.isExactly(place.string) else { return true }
        return upload.isEndSent != false
    }

    func forget() async throws { try await ledger.store?.remove(key) }

    /// Removes the record of a complete upload, unless its owner does.
    func end() async { if !hasRow { try? await forget() } }
}

/// Counts the bytes that are read from a steady body.
private final class MeteredSource: SteadySource {
    // SAFETY: a ByteStream has one reader, which awaits each `next()` before the following one.
    private nonisolated(unsafe) var base: ByteStream.Iterator
    private let count: @Sendable (Int) -> Void

    init(_ stream: ByteStream, count: @escaping @Sendable (Int) -> Void) {
        base = stream.makeAsyncIterator()
        self.count = count
    }

    func next() async throws -> Bytes? {
        let chunk = try await base.next()
        if let chunk { count(chunk.count) }
        return chunk
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let read = try (base.source as? any SteadySource)?.read(into: buffer) ?? 0
        if read > 0 { count(read) }
        return read
    }
}

extension Response {
    /// The response without its body.
    var headOnly: Response {
        var copy = self
        copy.body = .bytes(.empty)
        return copy
    }
}
