/// The judgement on a complete response, made once inside the chain and read by everything above.
public enum Verdict: Sendable {
    case success
    /// The answer is complete and is a failure; the error says which.
    case failure(TarmacError)

    /// The error, if it is a failure.
    public var error: TarmacError? { if case .failure(let error) = self { error } else { nil } }
}
