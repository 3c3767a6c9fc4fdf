/// Makes a signed or encrypted request again when its connection was stale or going away. Other requests are sent a second
/// time unchanged; a signed one would be a replay, because it would repeat the nonce and time of the first.
package enum Renewal {
    /// The attempt throws it to the stage that made the request.
    struct Wanted: Error {
        let failure: any Error
    }

    /// A server that is going away may close several connections in a row.
    private static let limit = 4

    /// Sends a request, and makes it again while its connection fails. The uppermost stage that changes the request repeats
    /// it; the stages below make their part again as the request passes them.
    ///
    /// - Parameter send: makes the request to send from the given one, and sends it.
    package static func fly(_ request: Request, _ context: CallContext, _ send: (Request) async throws -> Response) async throws -> Response {
        if request.sending.isOnce { return try await send(request) }
        var request = request
        request.sending.isOnce = true
        for _ in 0..<limit {
            do { return try await send(request) } catch is Wanted {
                context.noteRenewal()
                request.sending.isFresh = true
            }
        }
        do { return try await send(request) } catch let wanted as Wanted { throw wanted.failure }
    }
}

extension CallContext {
    /// A renewal counts as a resend of the transport, not as an attempt.
    fileprivate func noteRenewal() {
        progress.withLock { progress in
            progress.attempts -= 1
            progress.resends += 1
        }
        emit(.resentOnFreshConnection)
    }
}
