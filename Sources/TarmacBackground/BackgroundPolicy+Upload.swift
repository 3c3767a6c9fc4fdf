package import TarmacCore
import TarmacTransfer

extension BackgroundPolicy {
    /// The facts about an upload when its call is made.
    package struct UploadFacts: Sendable {
        /// Whether its response is stored.
        package var hasCome = false
        /// Whether a task for it was made before, in any process, and its outcome was not stored.
        package var isSent = false
        /// Whether its body is in a file.
        package var hasBody = false
        /// Whether it may be sent again if its outcome is not known.
        package var isRepeatable = false
        /// Whether a call of this process knows that the outcome was lost.
        package var isReported = false

        package init() {}
    }

    /// Returns how a call gets the response of its upload.
    ///
    /// A task that has ended counts as long as its end was not reported. An upload whose outcome was lost is sent again only if it
    /// may be, or if its caller knows of the loss.
    package func start(_ label: BackgroundLabel, tasks: [SeenTask], upload facts: UploadFacts) -> Start {
        if facts.hasCome { return .take }
        if let task = tasks.firstIndex(where: { $0.label == label }) { return .adopt(task) }
        if facts.isSent, !facts.isRepeatable, !facts.isReported { return .lost }
        return facts.hasBody ? .begin : .prepare
    }

    /// The number of times that a call may decide: adopt a task that is cancelled, prepare the body, begin a task; the last two once
    /// more.
    package static let turns = 5

    /// The meaning of the end of an upload's task for its call and its mark.
    package enum UploadEnding: Equatable, Sendable {
        case arrived
        /// Something else cancelled the task, such as the user who closed the app: the call decides again.
        case again
        case fail(forgets: Bool)
    }

    package func end(_ failure: TarmacError?, isCancelled: Bool) -> UploadEnding {
        guard let failure else { return .arrived }
        if isCancelled { return .again }
        return .fail(forgets: failure.reach != .mayHaveActed)
    }

    /// The error of an upload whose outcome is not known.
    package static var lostOutcome: TarmacError {
        TarmacError(
            .connectionLost, phase: .waiting, "the upload was sent in the background, and its outcome is not known",
            suggestion: "ask the server; the same call sends it again, and with an idempotencyKey it would have done so by itself")
    }

    /// The error of an upload whose response could not be written to the disk.
    package static var unstoredReply: TarmacError {
        TarmacError(.unwritableFile, phase: .receiving, "the response to an upload in the background is too large or could not be stored")
    }
}
