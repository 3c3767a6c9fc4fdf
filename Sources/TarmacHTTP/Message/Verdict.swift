/// The judgement of a complete response. The verdict stage makes it once, and later stages read it.
package enum Verdict: Sendable {
    case success
    /// The response is complete and is a failure, which the error describes.
    case failure(TarmacError)

    /// The error, if it is a failure.
    package var error: TarmacError? { if case .failure(let error) = self { error } else { nil } }
}
