import HTTPTypes
import TarmacCore
import TarmacSupport

/// The difference between the clocks of a server and of this device, as `Date` shows it (RFC 9110 §6.6.1; pure).
///
/// An expiry that the server states as a date is judged with it. Differences below a minute do not count.
struct ClockDifference: Equatable {
    /// Positive if the server's clock is ahead.
    let seconds: Double

    static let none = ClockDifference(seconds: 0)

    private init(seconds: Double) { self.seconds = seconds }

    /// Returns `nil` if the response has no date that can be true.
    ///
    /// - Parameter now: the device's date in seconds since 1970, when the response arrived.
    init?(_ headers: HTTPFields, now: Double) {
        guard let text = headers[values: .date].first, let sent = HTTPDate.seconds(text, currentYear: HTTPDate.year(ofSecondsSince1970: now))
        else { return nil }
        // RFC 9111 §5.1: a response may have spent time in a cache.
        let age = headers[values: .age].first.flatMap { UInt32($0) } ?? 0
        let difference = Double(sent) + Double(age) - now
        guard abs(difference) < Self.century else { return nil }
        seconds = abs(difference) < 60 ? 0 : difference
    }

    private static let century = 3_155_695_200.0

    /// Returns the seconds left until an expiry. Its author may have counted by either clock, so the earlier end counts
    /// unless it has passed already.
    ///
    /// - Parameter left: the seconds left by the device's clock.
    func lifetime(_ left: Double) -> Double {
        let corrected = left - seconds, shortest = AuthPolicy.shortestLife / .seconds(1)
        if min(left, corrected) >= shortest { return min(left, corrected) }
        return max(left, corrected) >= shortest ? max(left, corrected) : left
    }

    /// The difference in words, for errors. Empty if there is none.
    var note: String {
        if seconds == 0 { return "" }
        return "; this device's clock is \(Duration.seconds(abs(seconds).rounded()).shown) \(seconds < 0 ? "ahead of" : "behind") the server's"
    }
}
