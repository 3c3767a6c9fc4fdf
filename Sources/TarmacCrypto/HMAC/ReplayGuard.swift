#if Crypto
import Crypto
@_spi(TarmacRooms) import TarmacCore
import TarmacSigning

/// Remembers recent signed responses, so that none is accepted twice. The copies of a verifier share it.
final class ReplayGuard: Sendable {
    private let window: Locked<ReplayWindow>

    /// The number of messages to remember, as it was set.
    let capacity: Int

    init(_ freshness: FreshnessWindow, capacity: Int) {
        self.capacity = capacity
        window = Locked(ReplayWindow(seconds: freshness.wholeSeconds, capacity: capacity))
    }

    /// Admits a message once. Call it only for verified messages, because others could fill the memory.
    ///
    /// - Throws: `.signatureReplayed`; `.signatureExpired` for a message too old to be remembered.
    func admit(_ parts: [UInt8], created: Int64, now: Int64) throws(TarmacError) {
        let id = Array(SHA256.hash(data: parts))
        switch window.withLock({ $0.admit(id, created: created, now: now) }) {
        case .fresh: return
        case .seen:
            throw TarmacError(
                .signatureReplayed, phase: .receiving, "the same signed response was received before",
                suggestion: "have the server sign each response with a nonce of its own")
        case .forgotten:
            throw TarmacError(
                .signatureExpired, phase: .receiving, "the response is older than what is remembered, so it may be a replay",
                suggestion: "raise the verifier's capacity, unless the clock was set back")
        }
    }
}
#endif
