import HTTPTypes
import TarmacCore
import TarmacTransfer

/// Decides how an upload continues after a failed request (pure).
struct UploadRecovery {
    /// Whether the upload continues after an interruption.
    let resumes: Bool

    struct Situation {
        let failure: TarmacError
        /// Whether the upload has a place on the server; without one it cannot continue.
        var hasPlace = true
        /// Whether the place is from a ledger, so that it may no longer exist.
        var isRecalled = false
        /// The number of times the upload was started again.
        var freshStarts = 0
        /// Whether the failed response states that the upload is complete.
        var isComplete = false
        /// Whether the answer to the last bytes was lost, so that the upload may be complete.
        var endWasLost = false
        /// Whether the response states a limit that the next request will respect.
        var fitsNow = false
    }

    enum Decision: Equatable {
        /// The upload fails with the failure.
        case fail
        /// The upload fails with another error, which explains the cause.
        case refuse(String)
        case beginAnew
        /// The upload may be complete. A new one could be a second copy.
        case unknown
        /// Ask for the progress and continue; `isTransient` is set where the failure's code does not decide it.
        case ask(isTransient: Bool?)
    }

    func decide(_ situation: Situation) -> Decision {
        guard situation.hasPlace else { return refusal(situation.failure).map { .refuse($0) } ?? .fail }
        if let problem = situation.failure.problem?.type, let decision = decide(problem, situation) { return decision }
        // The final response to the whole upload is an error: continuing would change nothing.
        if situation.isComplete { return .fail }
        switch situation.failure.code == .unacceptableStatus ? situation.failure.status?.code : nil {
        // Forgotten or expired; a place from a ledger may now belong to another upload.
        // After the last bytes it may be complete, and forgotten for that.
        case 404 where situation.endWasLost, 410 where situation.endWasLost: return .unknown
        case 404, 410: return situation.freshStarts == 0 ? .beginAnew : .fail
        // The page of a company's filter says nothing about the upload.
        case 403 where StoredCallFailure.isOfAnother(situation.failure): return .fail
        case 403 where situation.endWasLost && situation.isRecalled: return .unknown
        case 403: return situation.freshStarts == 0 && situation.isRecalled ? .beginAnew : .fail
        // 409: another offset. 460: damaged in transit (tus checksum). 423: the server still holds an earlier request.
        case 409, 423, 460: return .ask(isTransient: true)
        // Too large for one request, and the response states the limit.
        case 413 where situation.fitsNow: return .ask(isTransient: true)
        case 412: return refusal(situation.failure).map { .refuse($0) } ?? .fail
        // The page of a portal may soon be gone.
        default: return resumes ? .ask(isTransient: situation.failure.code == .unacceptableContentType ? true : nil) : .fail
        }
    }

    /// Whether the server may have received a request whole and acted on it, although its answer did not arrive.
    static func isOutcomeUnknown(_ failure: TarmacError) -> Bool {
        if let status = failure.rejectedStatus {
            // A conflict with the offset that the server has stated: a proxy may have sent the bytes twice.
            return status >= 500 || status == 409 || failure.problem.flatMap { draftProblem($0.type) } == "completed-upload"
        }
        return [.waiting, .receiving, .judging].contains(failure.phase)
    }

    /// Decides by the problem types of the draft (§ "Problem Types").
    private func decide(_ type: String, _ situation: Situation) -> Decision? {
        switch Self.draftProblem(type) {
        case "mismatching-upload-offset": return .ask(isTransient: true)
        // A response was lost: the server is asked whether it has everything.
        case "completed-upload": return .ask(isTransient: true)
        case "inconsistent-upload-length" where situation.endWasLost && situation.isRecalled: return .unknown
        case "inconsistent-upload-length": return situation.freshStarts == 0 && situation.isRecalled ? .beginAnew : .fail
        default: return nil
        }
    }

    /// Returns the name of a problem type of the draft; `nil` for another type.
    private static func draftProblem(_ type: String) -> Substring? {
        guard type.hasPrefix("https://iana.org/assignments/http-problem-types#") else { return nil }
        return type.drop { $0 != "#" }.dropFirst()
    }

    /// Returns the reason of a 412 in tus, which states the versions that the server supports.
    private func refusal(_ failure: TarmacError) -> String? {
        guard failure.status?.code == 412, let versions = failure.response?.headers[values: UploadField.version].first else { return nil }
        return "the server speaks tus \(versions.prefix(100)), and not 1.0.0"
    }
}
