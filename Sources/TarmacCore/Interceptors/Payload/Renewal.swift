/// Makes a signed or sealed request anew where another would be sent a second time as it is, because its connection was stale
/// or going away: with the nonce and time of the first it would be a replay.
enum Renewal {
    /// From ATTEMPT up to the stage that made the request.
    struct Wanted: Error {
        let failure: any Error
    }

    /// A server that is going away may do so on each of a few connections.
    private static let limit = 4

    /// The uppermost stage that makes something of the request does it; those below make theirs anew as they are passed again.
    ///
    /// - Parameter send: makes the request from the one it is given, and sends it.
    static func fly(_ request: Request, _ context: CallContext, _ send: (Request) async throws -> Response) async throws -> Response {
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
    /// It counts as the transport's own resends do, and not as an attempt.
    fileprivate func noteRenewal() {
        progress.withLock { progress in
            progress.attempts -= 1
            progress.resends += 1
        }
        emit(.resentOnFreshConnection)
    }
}
