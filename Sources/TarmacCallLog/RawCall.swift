import HTTPTypes
import TarmacCore

/// A call as it was captured, with its secrets. It never leaves the room: ``EntryMask`` makes an entry of it.
struct RawCall: Sendable {
    /// The end of a call.
    enum End: Sendable {
        case landed(Duration)
        indirect case failed(CallLog.Failure, Duration)
        case cancelled(Duration)
    }

    /// Something that happened besides requests.
    struct Note: Sendable {
        let at: Moment
        let kind: CallLog.Event.Kind
        let text: String
    }

    /// The values that few calls have. One reference, so that the others are small.
    fileprivate struct Rare: Sendable {
        var stamped: TarmacCore.Request?
        var others: [RawAttempt] = []
        var notes: [Note] = []
        var reason: String?
    }

    let scope: LogScope
    let call: UInt64
    let endpoint: String
    let hasOwner: Bool
    let began: Moment
    /// Tells the date of the start.
    var clock: WallClock?
    let request: TarmacCore.Request?
    let body: RawBody?
    private(set) var response: RawResponse?
    /// The first attempt is stored in place, because most calls have one.
    private var first: RawAttempt?
    private var rare: CopyOnWrite<Rare>?
    private var sent = 0
    private(set) var end: End?
    /// The memory of the caller's body.
    private let retained: Int
    /// An estimate of the memory that the call takes.
    private(set) var kept: Int

    /// A stream that reconnects for days has very many.
    private static let mostAttempts = 64, mostNotes = 256
    /// The memory of a call, and of a note, without what they refer to.
    private static let bare = 1_024, bareNote = 64

    init(_ request: TarmacCore.Request, _ context: CallContext, _ scope: LogScope, body: RawBody?) {
        self.scope = scope
        (call, endpoint, hasOwner, began) = (context.id, context.endpoint, context.binding.owner != nil, context.start)
        // Its head is counted with the first attempt, which has the same values.
        let request = KeptRequest(request, isCounted: false)
        (self.request, retained, self.body) = (request.request, request.retained, body ?? request.outline)
        kept = Self.bare + request.retained + (self.body?.kept(besides: request.retained) ?? 0)
    }

    /// Makes a call that failed before it had a request.
    init(_ event: CallEvent, _ scope: LogScope, _ failure: CallLog.Failure, _ duration: Duration) {
        self.scope = scope
        (call, endpoint, hasOwner, began) = (event.call, event.endpoint, false, Moment(event.instant) - duration)
        clock = WallClock(SystemTime())
        (request, body, retained, end, kept) = (nil, nil, 0, .failed(failure, duration), Self.bare + failure.kept)
    }

    /// Makes a call of an archive.
    ///
    /// - Parameter start: in milliseconds since 1970.
    init(imported request: TarmacCore.Request, number: UInt64, start: Double, end: End) {
        scope = LogScope(imported: request.url.host)
        (call, endpoint, hasOwner, began, retained, kept) = (number, "", false, .now, 0, 0)
        clock = WallClock(began, start)
        (self.request, self.end, body) = (request, end, RawBody(request.body, limit: .max))
    }

    /// In milliseconds since 1970.
    var start: Double { clock?.milliseconds(at: began) ?? 0 }

    // MARK: Attempts

    /// Adds an attempt and returns its number.
    mutating func begin(_ request: KeptRequest, body: RawBody?) -> Int {
        sent += 1
        let attempt = RawAttempt(request, number: sent, reason: rare?.value.reason, began: began, body: body, known: retained)
        kept += attempt.kept
        if first == nil {
            first = attempt
            if rare != nil { withRare { $0.reason = nil } }
        } else {
            kept -= withRare { $0.add(attempt, most: Self.mostAttempts) }
        }
        return sent
    }

    var hasAttempts: Bool { sent > 0 }
    private var hasOthers: Bool { rare.map { !$0.value.others.isEmpty } ?? false }

    var attempts: [RawAttempt] { (first.map { [$0] } ?? []) + (rare?.value.others ?? []) }
    var lastAttempt: RawAttempt? { rare?.value.others.last ?? first }

    /// Changes an attempt, if it is still kept.
    mutating func change(_ number: Int, _ change: (inout RawAttempt) -> Void) {
        if number == 1 {
            kept += Self.changing(&first, change)
        } else if hasOthers {
            kept += withRare { rare in
                guard let place = rare.others.lastIndex(where: { $0.number == number }) else { return 0 }
                let before = rare.others[place].kept
                change(&rare.others[place])
                return rare.others[place].kept - before
            }
        }
    }

    private static func changing(_ first: inout RawAttempt?, _ change: (inout RawAttempt) -> Void) -> Int {
        guard var attempt = first else { return 0 }
        let before = attempt.kept
        // Otherwise its references would count twice while it is changed, and its fields be copied.
        first = nil
        change(&attempt)
        first = attempt
        return attempt.kept - before
    }

    /// Notes the end of an attempt with a response. Most calls have one, which is changed in place.
    mutating func end(_ number: Int, _ response: consuming RawResponse, _ history: consuming AttemptHistory) {
        if number == 1, !hasOthers, first != nil {
            kept += response.kept - (first?.response?.kept ?? 0)
            first?.response = consume response
            if first?.timings == nil { first?.timings = history.first }
        } else {
            let response = consume response
            change(number) { ($0.response, $0.failure) = (response, nil) }
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
        if hasOthers {
            if attempts.contains(where: { $0.timings?.attempt == timings.attempt }) { return }
            let start = timings.asked
            let isNoted = withRare { rare in
                guard let place = rare.others.lastIndex(where: { $0.timings == nil && $0.began <= start }) else { return false }
                rare.others[place].timings = timings
                return true
            }
            if isNoted { return }
        }
        if first?.timings == nil { first?.timings = timings }
    }

    mutating func land(_ response: RawResponse?, after duration: Duration?) {
        if let response {
            let attempt = lastAttempt?.response
            kept += response.kept(besides: attempt) - (self.response?.kept(besides: attempt) ?? 0)
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

    // MARK: Rare values

    private mutating func withRare<Result>(_ change: (inout Rare) -> Result) -> Result {
        var values = rare ?? CopyOnWrite(Rare())
        // So that it is not copied.
        rare = nil
        defer { rare = values }
        return change(&values.value)
    }

    /// The request with the credentials of the service, of a call that sends no request.
    var stamped: TarmacCore.Request? { rare?.value.stamped }

    /// Keeps the request with the credentials of the service.
    mutating func stamp(_ request: TarmacCore.Request) {
        let request = KeptRequest(request)
        withRare { $0.stamped = request.request }
        kept += request.size
    }

    // MARK: Events

    var notes: [Note] { rare?.value.notes ?? [] }

    mutating func note(_ kind: CallLog.Event.Kind, _ text: String, at moment: Moment) {
        kept += Self.bareNote + text.utf8.count
        kept -= withRare { rare in
            rare.notes.append(Note(at: moment, kind: kind, text: text))
            return rare.notes.count > Self.mostNotes ? Self.bareNote + rare.notes.remove(at: 1).text.utf8.count : 0
        }
    }

    /// Notes why there will be another attempt.
    mutating func expect(_ reason: String) { withRare { $0.reason = reason } }
}

extension RawCall.Rare {
    /// Adds an attempt. Returns the memory of the one that is dropped for it.
    fileprivate mutating func add(_ attempt: RawAttempt, most: Int) -> Int {
        reason = nil
        others.append(attempt)
        return others.count >= most ? others.removeFirst().kept : 0
    }
}

extension RawCall.End {
    fileprivate var kept: Int { if case .failed(let failure, _) = self { failure.kept } else { 0 } }
}
