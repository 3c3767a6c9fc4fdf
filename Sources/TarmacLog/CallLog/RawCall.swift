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
    private(set) var stamped: TarmacCore.Request?
    private(set) var response: RawResponse?
    /// The first attempt is stored in place, because most calls have one.
    private var first: RawAttempt?
    private var others: [RawAttempt] = []
    private(set) var notes: [Note] = []
    /// The reason of the next attempt.
    private var reason: String?
    private var sent = 0
    private(set) var end: End?
    /// An estimate of the memory that the call takes.
    private(set) var kept: Int

    /// A stream that reconnects for days has very many.
    private static let mostAttempts = 64, mostNotes = 256
    /// The memory of a call, and of a note, without what they refer to.
    private static let bare = 1_024, bareNote = 64

    init(_ request: TarmacCore.Request, _ context: CallContext, _ scope: LogScope, body: RawBody?) {
        self.scope = scope
        (call, endpoint, hasOwner) = (context.id, context.endpoint, context.binding.owner != nil)
        (start, began) = (context.time.date.timeIntervalSince1970 * 1_000, context.start)
        let (request, size, outline) = request.kept
        (self.request, self.body, kept) = (request, body ?? outline, Self.bare + size + ((body ?? outline)?.kept ?? 0))
    }

    /// Makes a call that failed before it had a request.
    init(_ event: CallEvent, _ scope: LogScope, _ failure: CallLog.Failure, _ duration: Duration) {
        self.scope = scope
        (call, endpoint, hasOwner) = (event.call, event.endpoint, false)
        (start, began) = (Date().timeIntervalSince1970 * 1_000 - Milliseconds(duration).value, Moment(event.instant) - duration)
        (request, end, kept) = (nil, .failed(failure, duration), Self.bare + failure.kept)
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
        let attempt = RawAttempt(number: sent, reason: reason, began: moment, request: request, size: size, body: body ?? outline)
        kept += attempt.kept
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
            kept += (response?.kept ?? 0) + (failure?.kept ?? 0) - (first?.response?.kept ?? 0) - (failure == nil ? 0 : first?.failure?.kept ?? 0)
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
            kept += response.kept - (self.response?.kept ?? 0)
            self.response = response
        }
        // A landing replaces a failure from which an interceptor has recovered.
        if let duration, !isLanded { finish(.landed(duration)) }
    }

    var isLanded: Bool { if case .landed = end { true } else { false } }

    /// Sets the end of the call. `nil` for a call that goes on.
    mutating func finish(_ end: End?) {
        kept += (end?.kept ?? 0) - (self.end?.kept ?? 0)
        self.end = end
    }

    /// Keeps the request with the credentials of the service.
    mutating func stamp(_ request: TarmacCore.Request) {
        let (request, size, _) = request.kept
        stamped = request
        kept += size
    }

    // MARK: Events

    mutating func note(_ kind: CallLog.Event.Kind, _ text: String, at moment: Moment) {
        notes.append(Note(at: moment, kind: kind, text: text))
        kept += Self.bareNote + text.utf8.count
        if notes.count > Self.mostNotes { kept -= Self.bareNote + notes.remove(at: 1).text.utf8.count }
    }

    /// Notes why there will be another attempt.
    mutating func expect(_ reason: String) { self.reason = reason }
}

extension RawCall.End {
    fileprivate var kept: Int { if case .failed(let failure, _) = self { failure.kept } else { 0 } }
}
