@_spi(TarmacRooms) import TarmacCore

/// Writes a change to the store again that could not be written.
struct AuthStoreWatch: DeadlineWatch {
    let session: TokenSession
    /// The call that reports the next failure.
    let context: CallContext?

    func expire(_ now: Moment) -> Moment? {
        session.writeAgain(for: context)
        return nil
    }
}
