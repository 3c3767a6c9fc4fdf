#if Crypto
import Crypto
import TarmacCore

/// Remembers the signed responses of the last minutes, so that none is accepted twice. Shared by the copies of a verifier.
final class ReplayGuard: Sendable {
    private let window: Locked<ReplayWindow>

    init(_ freshness: FreshnessWindow, capacity: Int) {
        window = Locked(ReplayWindow(seconds: freshness.wholeSeconds, capacity: capacity))
    }

    /// Admits a message once. Call it for verified ones alone, or anyone could fill the memory.
    ///
    /// - Throws: `.signatureReplayed`; `.signatureExpired` for one so old that it is not remembered any more.
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
