import HTTPTypes
import TarmacCore

/// Decides what becomes of an upload after a request of it has failed (pure).
struct UploadRecovery {
    /// Whether it goes on after an interruption at all.
    let resumes: Bool

    struct Situation {
        let failure: TarmacError
        /// The upload has a place on the server; without one there is nothing to go on with.
        var hasPlace = true
        /// The place is one a ledger told, which may be gone since.
        var isRecalled = false
        /// How often it was begun anew already.
        var freshStarts = 0
        /// What the failure's own answer says of the upload.
        var isComplete = false
        /// Its answer states a limit, and the next request will keep to it.
        var fitsNow = false
    }

    enum Decision: Equatable {
        /// The failure is the upload's.
        case fail
        /// Another failure, that says what is wrong, is the upload's.
        case refuse(String)
        case beginAnew
        /// Ask how far it is, and go on; `isTransient` says so where the failure's code does not.
        case ask(isTransient: Bool?)
    }

    func decide(_ situation: Situation) -> Decision {
        guard situation.hasPlace else { return refusal(situation.failure).map { .refuse($0) } ?? .fail }
        if let problem = situation.failure.problem?.type, let decision = decide(problem, situation) { return decision }
        // The answer to the whole, and no good one: to go on would change nothing.
        if situation.isComplete { return .fail }
        switch situation.failure.code == .unacceptableStatus ? situation.failure.status?.code : nil {
        // Forgotten, or past its date; what a ledger told may have become another's.
        case 404, 410: return situation.freshStarts == 0 ? .beginAnew : .fail
        case 403: return situation.freshStarts == 0 && situation.isRecalled ? .beginAnew : .fail
        // 409: another offset. 460: damaged on the way (tus checksum). 423: the server still holds an earlier request.
        case 409, 423, 460: return .ask(isTransient: true)
        // Too large for one request, and the answer says what is not.
        case 413 where situation.fitsNow: return .ask(isTransient: true)
        case 412: return refusal(situation.failure).map { .refuse($0) } ?? .fail
        default: return resumes ? .ask(isTransient: nil) : .fail
        }
    }

    /// The types of problems of the draft (§ "Problem Types").
    private func decide(_ type: String, _ situation: Situation) -> Decision? {
        guard type.hasPrefix("https://iana.org/assignments/http-problem-types#") else { return nil }
        switch type.drop(while: { $0 != "#" }).dropFirst() {
        case "mismatching-upload-offset": return .ask(isTransient: true)
        // An answer got lost: the server is asked whether it has all.
        case "completed-upload": return .ask(isTransient: true)
        case "inconsistent-upload-length": return situation.freshStarts == 0 && situation.isRecalled ? .beginAnew : .fail
        default: return nil
        }
    }

    /// tus: 412 says which versions the server speaks instead.
    private func refusal(_ failure: TarmacError) -> String? {
        guard failure.status?.code == 412, let versions = failure.response?.headers[values: UploadField.version].first else { return nil }
        return "the server speaks tus \(versions.prefix(100)), and not 1.0.0"
    }
}
