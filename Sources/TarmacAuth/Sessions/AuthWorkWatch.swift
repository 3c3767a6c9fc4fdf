import TarmacCore

/// Ends a refresh, or the reading of a token store, at its time limit.
struct AuthWorkWatch: DeadlineWatch {
    let session: TokenSession
    let work: Int
    let context: CallContext

    func expire(_ now: Moment) -> Moment? {
        session.expire(work, for: context)
    }
}
