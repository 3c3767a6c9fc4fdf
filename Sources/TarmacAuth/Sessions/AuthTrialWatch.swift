@_spi(TarmacRooms) import TarmacCore

/// Ends the wait for a call that tries a token alone. Its response may take as long as it likes.
struct AuthTrialWatch: DeadlineWatch {
    let session: TokenSession

    func expire(_ now: Moment) -> Moment? {
        AuthWait.wake(session.state.withLock { $0.takeWaiting() })
        return nil
    }
}
