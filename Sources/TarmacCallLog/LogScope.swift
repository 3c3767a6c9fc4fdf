#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacCore

/// The values that calls with the same settings share in a log. One reference, because a call keeps it.
// SAFETY: the variables are read and changed under the lock of the log, which alone has the scope.
final class LogScope: @unchecked Sendable {
    let client: LogClient
    let service: String
    let tags: Set<CallTag>
    /// The redactor of the calls, which is known when the first one runs.
    private(set) var redactor = Redactor.standard
    private(set) var clock: WallClock?

    init(_ scope: StageScope) {
        (client, service, tags) = (scope.state(LogClient.self), scope.service.name, scope.values.tags)
    }

    /// Makes the scope of a call that failed before its stages ran.
    init(client: LogClient, _ event: CallEvent) { (self.client, service, tags) = (client, event.service, event.tags) }

    /// Makes the scope of a call of an archive.
    init(imported host: String) { (client, service, tags) = (LogClient(), host, []) }

    /// Notes the settings of the calls and the date.
    func note(_ redactor: Redactor, _ clock: WallClock) { (self.redactor, self.clock) = (redactor, clock) }
}

/// Tells the clients of a log apart. A log keeps it and nothing else of a client that is gone.
final class LogClient: ClientState {
    init() {}
    init(_ client: ClientScope) {}
}

/// The date at a moment. The dates of later calls are computed from their moments, because a look at a clock costs as much as the rest
/// of what a log does at a start.
final class WallClock: Sendable {
    private let moment: Moment
    /// In milliseconds since 1970.
    private let date: Double

    init(_ moment: Moment, _ date: Double) { (self.moment, self.date) = (moment, date) }

    convenience init(_ time: any TimeSource) { self.init(time.moment, time.date.timeIntervalSince1970 * 1_000) }

    /// Whether the date is so old that the clock may have been set since.
    func isOld(at moment: Moment) -> Bool { moment - self.moment > .seconds(1) }

    func milliseconds(at moment: Moment) -> Double { date + Milliseconds(moment - self.moment).value }
}
