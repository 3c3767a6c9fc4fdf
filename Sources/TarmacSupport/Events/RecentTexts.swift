/// Texts and the times at which they were admitted (pure). A text is admitted again after a minute.
package struct RecentTexts: Sendable {
    /// The largest number of texts. Beyond it the oldest one is forgotten.
    package static let limit = 64
    private static let pause = Duration.seconds(60)

    private var admitted: [String: ContinuousClock.Instant] = [:]

    package init() {}

    package var count: Int { admitted.count }

    package mutating func admits(_ text: String, at instant: ContinuousClock.Instant) -> Bool {
        if let last = admitted[text], last.duration(to: instant) < Self.pause { return false }
        if admitted[text] == nil, admitted.count >= Self.limit, let oldest = admitted.min(by: { $0.value < $1.value }) { admitted[oldest.key] = nil }
        admitted[text] = instant
        return true
    }
}
