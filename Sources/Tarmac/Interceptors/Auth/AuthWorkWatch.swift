/// Ends a refresh, or the reading of a store, that takes too long.
// SAFETY: every field is constant and Sendable.
final class AuthWorkWatch: DeadlineEntry, @unchecked Sendable {
    private let session: TokenSession
    private let work: Int
    private let context: CallContext

    init(_ session: TokenSession, work: Int, context: CallContext) {
        self.session = session
        self.work = work
        self.context = context
    }

    override func expire(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        session.expire(work, for: context)
        return nil
    }
}
