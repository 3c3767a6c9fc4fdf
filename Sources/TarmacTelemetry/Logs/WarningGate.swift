#if Telemetry
@_spi(TarmacRooms) import TarmacCore
import TarmacSupport

/// Passes each warning of a client once a minute. Some are of every attempt, such as that of plain http.
final class WarningGate: ClientState {
    private let recent = Locked(RecentTexts())

    init(_ client: ClientScope) {}

    func passes(_ text: String, at instant: ContinuousClock.Instant) -> Bool { recent.withLock { $0.admits(text, at: instant) } }
}
#endif
