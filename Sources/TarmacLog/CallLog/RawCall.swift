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

    let call: UInt64
    let endpoint: String
    let service: String
    let hasOwner: Bool
    let tags: Set<CallTag>
    /// In milliseconds since 1970.
    let start: Double
    let began: Moment
    /// The redactor of the call, with the names that its settings hide and show.
    let redactor: Redactor
    let request: TarmacCore.Request?
    var body = RawBody.none
    /// The request with the credentials of the service, of a call that sends no request.
    var stamped: TarmacCore.Request?
    var response: RawResponse?
    private(set) var attempts: [RawAttempt] = []
    private(set) var notes: [Note] = []
    /// The reason of the next attempt.
    private var reason: String?
    private var sent = 0
    var end: End?
    /// The size of the bodies that are kept.
    private(set) var kept = 0

    /// A stream that reconnects for days has very many.
    private static let mostAttempts = 64, mostNotes = 256

    init(_ request: TarmacCore.Request, _ context: CallContext) {
        let time = context.time
        (call, endpoint, service) = (context.id, context.endpoint, context.service)
        (hasOwner, tags, redactor) = (context.binding.owner != nil, context.options.values.tags, context.redactor)
        (start, began) = ((time.date.timeIntervalSince1970 * 1_000).rounded(), time.moment)
        (self.request, kept) = request.kept
    }

    /// Makes a call that failed before it had a request.
    init(_ event: CallEvent, _ failure: CallLog.Failure, _ duration: Duration) {
        (call, endpoint, service) = (event.call, event.endpoint, event.service)
        (hasOwner, tags, redactor) = (false, event.tags, .standard)
        let lasted = Milliseconds(duration).value
        (start, began) = ((Date().timeIntervalSince1970 * 1_000 - lasted).rounded(), Moment(event.instant) - duration)
        (request, end) = (nil, .failed(failure, duration))
    }

    /// Makes a call of an archive.
    init(imported request: TarmacCore.Request, number: UInt64, start: Double, end: End) {
        (call, endpoint, service) = (number, "", request.url.host)
        (hasOwner, tags, redactor) = (false, [], .standard)
        (self.start, began, self.end) = (start, .now, end)
        self.request = request
        body = RawBody(request.body, limit: .max)
    }

    // MARK: Attempts

    /// Adds an attempt and returns its number.
    mutating func begin(_ request: TarmacCore.Request, body: RawBody, at moment: Moment) -> Int {
        sent += 1
        let (request, size) = request.kept
        attempts.append(RawAttempt(number: sent, reason: reason, began: moment, request: request, body: body))
        kept += size + body.kept
        reason = nil
        if attempts.count > Self.mostAttempts { kept -= attempts.remove(at: 1).kept }
        return sent
    }

    /// Changes an attempt, if it is still kept.
    mutating func change(_ number: Int, _ change: (inout RawAttempt) -> Void) {
        guard let place = attempts.lastIndex(where: { $0.number == number }) else { return }
        let before = attempts[place].kept
        change(&attempts[place])
        kept += attempts[place].kept - before
    }

    /// Keeps the timings with the attempt that they belong to: of those without timings, the last that began before.
    mutating func note(_ timings: AttemptTimings) {
        let start = Moment(timings.start)
        if let place = attempts.lastIndex(where: { $0.timings == nil && $0.began <= start }) { attempts[place].timings = timings }
    }

    mutating func setResponse(_ response: RawResponse) {
        kept += response.body.kept - (self.response?.body.kept ?? 0)
        self.response = response
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
    var body: RawBody
    var response: RawResponse?
    var failure: CallLog.Failure?
    var timings: AttemptTimings?

    var kept: Int { body.kept + (response?.body.kept ?? 0) }
}

/// The head of a response, and the kept part of its body.
struct RawResponse: Sendable {
    let status: HTTPResponse.Status
    let version: ProtocolVersion?
    let headers: HTTPFields
    let url: HTTPURL
    let source: ResponseSource
    var body: RawBody
    /// Whether the body is read as a stream.
    let isStream: Bool

    init(_ response: TarmacCore.Response, limit: Int, source: ResponseSource? = nil) {
        (status, version, headers) = (response.status, response.version, response.headers)
        (url, self.source) = (response.url, source ?? response.source)
        if let bytes = response.body.collected { (body, isStream) = (RawBody(bytes, limit: limit), false) } else { (body, isStream) = (.none, true) }
    }
}

/// The kept part of a body.
struct RawBody: Sendable {
    var bytes: Bytes?
    /// The size of the whole body, if it is known.
    var size: Int64?
    /// The parts of a body that is not in memory, in words.
    var outline: String?

    static let none = RawBody()

    /// The bytes count if the log copied them.
    var kept: Int { bytes?.count ?? 0 }

    init() {}

    /// - Parameter limit: the number of bytes to keep. With 0 only the size is kept.
    init(_ bytes: Bytes, limit: Int) {
        size = Int64(bytes.count)
        // A prefix is copied, so that the rest of the body is released.
        if limit > 0 { self.bytes = bytes.prefix(limit) }
    }

    init(_ body: TarmacCore.Body, limit: Int) {
        self.init()
        switch body.content {
        case .none: break
        case .bytes(let bytes): self = RawBody(bytes, limit: limit)
        case .file(let path): (size, outline) = (body.length, "file \(path)")
        case .stream(let stream): (size, outline) = (body.length, stream.outline?.joined(separator: "\n"))
        }
    }
}

extension TarmacCore.Request {
    /// The request without a body that is large or a stream. Small bodies stay, because their secrets are masked where a response repeats
    /// them.
    fileprivate var kept: (request: TarmacCore.Request, size: Int) {
        switch body.content {
        case .none: return (self, 0)
        case .bytes(let bytes) where bytes.count <= Self.searchedBody: return (self, bytes.count)
        case .bytes, .file, .stream:
            var head = self
            head.body = .none
            return (head, 0)
        }
    }

    /// The longest body in which the redactor looks for secrets.
    private static var searchedBody: Int { 65_536 }
}
