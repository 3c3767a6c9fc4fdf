package import TarmacCore
import TarmacSupport
import TarmacTransfer

/// Decides what follows the failure of a transfer in a queue (pure).
package enum TransferFailurePolicy {
    /// The step that failed.
    package enum Step: Sendable {
        /// The app's own code, or the queue's files.
        case app
        case download, upload
    }

    package enum Decision: Equatable, Sendable {
        case again(after: Duration)
        case fail
    }

    private static let longestPause = Duration.seconds(300)
    private static let longestAskedPause = Duration.seconds(3_600)

    /// - Parameters:
    ///   - failures: The number of failures in a row, including this one.
    ///   - conflicts: The number of those that were conflicts.
    ///   - hasArrived: Whether the server may have acted on an earlier attempt.
    ///   - retryAfter: The pause that the server asked for.
    ///   - chance: From 0 to 1, for the jitter.
    package static func decide(
        _ failure: TarmacError, of step: Step, failures: Int, conflicts: Int = 0, hasArrived: Bool = false, retryAfter: Duration?, chance: Double
    ) -> Decision {
        let isConflict = step == .upload && failure.isOwnConflict(hasArrived: hasArrived)
        guard mayPass(failure, of: step) || isConflict && conflicts <= StoredCallFailure.mostConflicts else { return .fail }
        let pause = Duration.seconds(1).doubled(failures - 1, atMost: longestPause)
        return .again(after: min(retryAfter ?? .zero, longestAskedPause) + pause * (0.5 + chance / 2))
    }

    private static func mayPass(_ failure: TarmacError, of step: Step) -> Bool {
        if failure.isTransient || passing.contains(failure.code) || StoredCallFailure.waits(after: failure) { return true }
        switch step {
        case .app: return false
        // A file that is too large or has another digest would be downloaded again and again.
        case .download: return StoredCallFailure.isOfAnother(failure)
        case .upload: return StoredCallFailure.isOutcomeUnknown(failure)
        }
    }

    /// Another call for the same file, and a transfer of another environment or login, which waits for it.
    private static let passing: Set<TarmacError.Code> = [.transferInProgress, .otherLogin, .environmentLeft]
}

/// The failure of a transfer, with the step that failed.
struct TransferFailure: Error {
    let error: any Error
    let step: TransferFailurePolicy.Step
}
