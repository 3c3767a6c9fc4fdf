@_spi(TarmacRooms) import TarmacCore

/// A challenge that one call answers alone, because other calls have used up the nonces that it shared with them.
final class OwnChallenge: Sendable {
    private let origin: WebOrigin
    private let space: Locked<DigestPolicy.Space>

    init(_ space: DigestPolicy.Space, of origin: WebOrigin) {
        self.space = Locked(space)
        self.origin = origin
    }

    /// Returns the challenge, counted, or `nil` for a URL of another origin. A retry counts on, because the server may have
    /// seen the count before.
    func next(_ url: HTTPURL) -> DigestPolicy.Space? {
        guard url.origin == origin else { return nil }
        return space.withLock { space in
            space.count += 1
            return space
        }
    }
}
