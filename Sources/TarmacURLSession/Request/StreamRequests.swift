/// Decides the answer to a session that asks for the stream of a request body.
///
/// The session asks once each time it sends the request. It sends the request again after a dead connection and
/// after a challenge.
struct StreamRequests {
    enum Answer: Equatable {
        case first
        /// The body from its start again. The stream before it is over.
        case again
        /// The server may have acted on the request.
        case refused
        /// The exchange is over.
        case none
    }

    private var count = 0

    /// - Parameter isIdempotent: whether two requests have the effect of one.
    mutating func answer(isIdempotent: Bool, isOver: Bool) -> Answer {
        if isOver { return .none }
        count += 1
        if count == 1 { return .first }
        // The head may have been sent, and sent bytes of the body are reported late.
        return isIdempotent ? .again : .refused
    }
}

/// Writes a body to the stream that a session reads.
protocol BodyFeed: AnyObject, Sendable {
    /// Stops writing. It may be called several times and from any thread.
    func stop()
}
