#if Telemetry
@_spi(TarmacRooms) import TarmacCore

/// Passes each warning of a client once a minute. Some are of every attempt, such as that of plain http.
final class WarningGate: ClientState {
    private let recent = Locked(RecentTexts())

    init(_ client: ClientScope) {}

    func passes(_ text: String, at instant: ContinuousClock.Instant) -> Bool { recent.withLock { $0.admits(text, at: instant) } }
}

/// Texts and the times at which they were admitted (pure). A text is admitted again after a minute.
struct RecentTexts {
    /// The largest number of texts. Beyond it the oldest one is forgotten.
    static let limit = 64
    static let pause = Duration.seconds(60)

    private var admitted: [String: ContinuousClock.Instant] = [:]

    var count: Int { admitted.count }

    mutating func admits(_ text: String, at instant: ContinuousClock.Instant) -> Bool {
        if let last = admitted[text], last.duration(to: instant) < Self.pause { return false }
        if admitted[text] == nil, admitted.count >= Self.limit, let oldest = admitted.min(by: { $0.value < $1.value }) { admitted[oldest.key] = nil }
        admitted[text] = instant
        return true
    }
}
#endif
