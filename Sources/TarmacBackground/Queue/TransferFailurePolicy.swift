package import TarmacCore
import TarmacTransfer

/// Decides what follows the failure of a transfer in a queue (pure).
package enum TransferFailurePolicy {
    package enum Decision: Equatable, Sendable {
        case again(after: Duration)
        case fail
    }

    private static let longestPause = Duration.seconds(300)
    private static let longestAskedPause = Duration.seconds(3_600)

    /// - Parameters:
    ///   - failures: The number of failures in a row, including this one.
    ///   - retryAfter: The pause that the server asked for.
    ///   - chance: From 0 to 1, for the jitter.
    package static func decide(_ failure: TarmacError, failures: Int, retryAfter: Duration?, chance: Double) -> Decision {
        guard failure.isTransient || passing.contains(failure.code) else { return .fail }
        let pause = Duration.seconds(1).doubled(failures - 1, atMost: longestPause)
        return .again(after: min(retryAfter ?? .zero, longestAskedPause) + pause * (0.5 + chance / 2))
    }

    /// A store that is locked, and another call for the same file.
    private static let passing: Set<TarmacError.Code> = [.storeFailed, .tokenStoreFailed, .transferInProgress]
}
