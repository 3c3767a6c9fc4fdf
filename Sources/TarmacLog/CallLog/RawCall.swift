#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore

/// A call as it was captured, with its secrets. It never leaves the room: ``EntryMask`` makes an entry of it.
struct RawCall: Sendable {
    /// The end of a call.
    enum End: Sendable {
        case landed(Duration)
        case failed(CallLog.Failure, Duration)
        case cancelled(Duration)
    }

    /// Something that happened besides requests.
    struct Note: Sendable {
        let at: Moment
        let kind: CallLog.Event.Kind
        let text: String
    }

    let scope: LogScope
    let call: UInt64
    let endpoint: String
    let hasOwner: Bool
    /// In milliseconds since 1970.
    let start: Double
    let began: Moment
    let request: TarmacCore.Request?
    var body: RawBody?
    /// The request with the credentials of the service, of a call that sends no request.
    var stamped: TarmacCore.Request?
    private(set) var response: RawResponse?
    /// The first attempt is stored in place, because most calls have one.
    private var first: RawAttempt?
    private var others: [RawAttempt] = []
    private(set) var notes: [Note] = []
    /// The reason of the next attempt.
    private var reason: String?
    private var sent = 0
    var end: End?
    /// The size of the bodies that are kept.
    private(set) var kept: Int

    /// A stream that reconnects for days has very many.
    private static let mostAttempts = 64, mostNotes = 256

    init(_ request: TarmacCore.Request, _ context: CallContext, _ scope: LogScope, body: RawBody?) {
        self.scope = scope
        (call, endpoint, hasOwner) = (context.id, context.endpoint, context.binding.owner != nil)
        (start, began) = (context.time.date.timeIntervalSince1970 * 1_000, context.start)
        let (request, size, outline) = request.kept
        (self.request, self.body, kept) = (request, body ?? outline, size + (body?.kept ?? 0))
    }

    /// Makes a call that failed before it had a request.
    init(_ event: CallEvent, _ scope: LogScope, _ failure: CallLog.Failure, _ duration: Duration) {
        self.scope = scope
        (call, endpoint, hasOwner) = (event.call, event.endpoint, false)
        (start, began) = (Date().timeIntervalSince1970 * 1_000 - Milliseconds(duration).value, Moment(event.instant) - duration)
        (request, end, kept) = (nil, .failed(failure, duration), 0)
    }

    /// Makes a call of an archive.
    init(imported request: TarmacCore.Request, number: UInt64, start: Double, end: End) {
        scope = LogScope(imported: request.url.host)
        (call, endpoint, hasOwner, self.start, began, kept) = (number, "", false, start, .now, 0)
        (self.request, self.end, body) = (request, end, RawBody(request.body, limit: .max))
    }

    // MARK: Attempts

    /// Adds an attempt and returns its number.
    mutating func begin(_ request: TarmacCore.Request, body: RawBody?, at moment: Moment) -> Int {
        sent += 1
        let (request, size, outline) = request.kept
        let attempt = RawAttempt(number: sent, reason: reason, began: moment, request: request, body: body ?? outline)
        kept += size + (body?.kept ?? 0)
        reason = nil
        if first == nil { first = attempt } else { others.append(attempt) }
        if others.count >= Self.mostAttempts { kept -= others.removeFirst().kept }
        return sent
    }

    var hasAttempts: Bool { sent > 0 }

    var attempts: [RawAttempt] { (first.map { [$0] } ?? []) + others }

    /// Changes an attempt, if it is still kept.
    mutating func change(_ number: Int, _ change: (inout RawAttempt) -> Void) {
        if number == 1 {
            kept -= first?.kept ?? 0
            if first != nil { changeFirst(change) }
            kept += first?.kept ?? 0
        } else if let place = others.lastIndex(where: { $0.number == number }) {
            kept -= others[place].kept
            change(&others[place])
            kept += others[place].kept
        }
    }

    private mutating func changeFirst(_ change: (inout RawAttempt) -> Void) {
        guard var attempt = first else { return }
        // Otherwise its references would count twice while it is changed, and its fields be copied.
        first = nil
        change(&attempt)
        first = attempt
    }

    /// Notes the end of an attempt. Most calls have one, which is changed in place.
    mutating func end(_ number: Int, _ response: RawResponse?, _ failure: CallLog.Failure?, _ history: AttemptHistory) {
        if number == 1, others.isEmpty {
            first?.response = response
            if let failure { first?.failure = failure }
            if first?.timings == nil { first?.timings = history.first }
        } else {
            change(number) { ($0.response, $0.failure) = (response, failure) }
            note(history)
        }
    }

    /// Keeps the timings of a call that has ended or waits.
    mutating func note(_ history: AttemptHistory) {
        if let timings = history.first { note(timings) }
        for timings in history.others { note(timings) }
    }

    /// Keeps the timings with the attempt that they belong to: of those without timings, the last that began before.
    mutating func note(_ timings: AttemptTimings) {
        if others.isEmpty {
            return noteFirst(timings)
        }
        if attempts.contains(where: { $0.timings?.attempt == timings.attempt }) { return }
        let start = Moment(timings.start)
        if let place = others.lastIndex(where: { $0.timings == nil && $0.began <= start }) {
            others[place].timings = timings
        } else {
            noteFirst(timings)
        }
    }

    private mutating func noteFirst(_ timings: AttemptTimings) { if first?.timings == nil { first?.timings = timings } }

    mutating func land(_ response: RawResponse?, after duration: Duration?) {
        if let response {
            kept += (response.body?.kept ?? 0) - (self.response?.body?.kept ?? 0)
            self.response = response
        }
        if let duration, end == nil { end = .landed(duration) }
    }

    // MARK: Events

    mutating func note(_ kind: CallLog.Event.Kind, _ text: String, at moment: Moment) {
        notes.append(Note(at: moment, kind: kind, text: text))
        if notes.count > Self.mostNotes { notes.remove(at: 1) }
    }

    /// Notes why there will be another attempt.
    mutating func expect(_ reason: String) { self.reason = reason }
}

/// One request on the wire, as it was captured.
struct RawAttempt: Sendable {
    let number: Int
    let reason: String?
    let began: Moment
    let request: TarmacCore.Request
    var body: RawBody?
    var response: RawResponse?
    var failure: CallLog.Failure?
    var timings: AttemptTimings?

    var kept: Int { (body?.kept ?? 0) + (response?.body?.kept ?? 0) }
}

/// The head of a response, and the kept part of its body.
struct RawResponse: Sendable {
    let status: HTTPResponse.Status
    let version: ProtocolVersion?
    let headers: HTTPFields
    let source: ResponseSource
    var body: RawBody?
    /// Whether the body is read as a stream.
    let isStream: Bool

    /// - Parameter limit: the number of bytes of the body to keep. `nil` for the head alone.
    init(_ response: TarmacCore.Response, limit: Int?, source: ResponseSource? = nil) {
        (status, version, headers) = (response.status, response.version, response.headers)
        self.source = source ?? response.source
        let bytes = response.body.collected
        isStream = bytes == nil
        if let bytes, let limit { body = RawBody(bytes, limit: limit) }
    }
}

/// The kept part of a body.
struct RawBody: Sendable {
    var bytes: Bytes?
    /// The size of the whole body, if it is known.
    var size: Int64?
    /// The parts of a body that is not in memory, in words.
    var outline: String?

    /// The bytes count if the log copied them.
    var kept: Int { bytes?.count ?? 0 }

    init() {}

    /// - Parameter limit: the number of bytes to keep. With 0 only the size is kept.
    init(_ bytes: Bytes, limit: Int) {
        size = Int64(bytes.count)
        // A prefix is copied, so that the rest of the body is released.
        if limit > 0 { self.bytes = bytes.prefix(limit) }
    }

    init?(_ body: TarmacCore.Body, limit: Int) {
        self.init()
        switch body.content {
        case .none: return nil
        case .bytes(let bytes): self = RawBody(bytes, limit: limit)
        case .file(let path): (size, outline) = (body.length, "file \(path)")
        case .stream(let stream): (size, outline) = (body.length, stream.outline?.joined(separator: "\n"))
        }
    }
}

extension TarmacCore.Request {
    /// The request without a body that is large or a stream, of which the size is kept. Small bodies stay, because their secrets are masked
    /// where a response repeats them.
    fileprivate var kept: (request: TarmacCore.Request, size: Int, outline: RawBody?) {
        switch body.content {
        case .none: return (self, 0, nil)
        case .bytes(let bytes) where bytes.count <= Self.searchedBody: return (self, bytes.count, nil)
        case .bytes, .file, .stream:
            var head = self
            head.body = .none
            return (head, 0, RawBody(body, limit: 0))
        }
    }

    /// The longest body in which the redactor looks for secrets.
    private static var searchedBody: Int { 65_536 }
}
