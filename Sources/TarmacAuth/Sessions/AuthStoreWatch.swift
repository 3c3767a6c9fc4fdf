@_spi(TarmacRooms) import TarmacCore

/// Writes a change to the store again that could not be written.
struct AuthStoreWatch: DeadlineWatch {
    let session: TokenSession

    func expire(_ now: Moment) -> Moment? {
        session.writeAgain()
        return nil
    }
}
