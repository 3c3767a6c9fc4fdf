/// An object that follows a call from its start to its end, such as the call's hooks and presenter.
package protocol CallCompanion: Sendable {
    /// Starts with the call, on its executor.
    nonisolated(nonsending) func start() async
    /// Ends before the caller gets the outcome.
    nonisolated(nonsending) func end(_ outcome: CallOutcome) async
}

/// Makes the companions of calls.
package protocol CompanionProvider: Sendable {
    /// Returns the companion of a call, or `nil` if nothing follows it.
    ///
    /// - Parameter isolation: the actor that the call runs on.
    func companion(of context: CallContext, on isolation: (any Actor)?) -> (any CallCompanion)?
}
