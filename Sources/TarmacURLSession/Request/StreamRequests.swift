/// Decides what a session gets that asks for the stream of a request body (pure).
///
/// It asks once for each time it sends the request. It sends it again after a dead connection and after a challenge.
struct StreamRequests {
    enum Answer: Equatable {
        case first
        /// The body from its start once more; the stream before it is over.
        case again
        /// The server may have acted on the request.
        case refused
        /// The flight is over.
        case none
    }

    private var count = 0

    /// - Parameter isIdempotent: whether sending the request twice has the effect of once.
    mutating func answer(isIdempotent: Bool, isOver: Bool) -> Answer {
        if isOver { return .none }
        count += 1
        if count == 1 { return .first }
        // The head may have left, and what has left of the body is told late.
        return isIdempotent ? .again : .refused
    }
}

/// Moves a body into the stream that a session reads.
protocol BodyFeed: AnyObject, Sendable {
    /// Ends it; called more than once, from any thread.
    func stop()
}
