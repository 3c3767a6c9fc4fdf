@_spi(TarmacRooms) import TarmacCore

/// The causes that were presented last. One lost login ends many calls, and is presented once.
final class PresentedCauses: Sendable {
    private struct Cause: Sendable {
        let code: TarmacError.Code
        let reason: String
        let presenter: ObjectIdentifier
        let moment: Moment
    }
    private let last = Locked<[Cause]>([])
    private let time: any TimeSource
    private static let limit = 8

    init(_ time: any TimeSource) { self.time = time }

    /// Whether an error is to be presented. It is not if its cause was presented after its call had started. A call that
    /// starts later is a new attempt of the user, and is presented.
    func admits(_ error: TarmacError, startedAt start: Moment, _ presenter: any Presenter) -> Bool {
        let error = error.unmapped
        guard error.code == .loggedOut || error.code == .refreshFailed else { return true }
        let new = Cause(code: error.code, reason: error.reason, presenter: presenter.identity, moment: time.moment)
        return last.withLock { last in
            let old = last.firstIndex { $0.code == new.code && $0.reason == new.reason && $0.presenter == new.presenter }
            if let old {
                if start <= last[old].moment { return false }
                last.remove(at: old)
            }
            last.append(new)
            if last.count > Self.limit { last.removeFirst() }
            return true
        }
    }
}
