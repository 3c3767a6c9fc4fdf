@_spi(TarmacRooms) import TarmacHTTP

/// Makes a signed or encrypted request again if its connection was stale or closing. Other requests are sent again
/// unchanged. A signed one would count as a replay, because it would repeat the nonce and time of the first.
package enum Renewal {
    /// The error that the attempt throws to the stage that made the request.
    package struct Wanted: Error {
        package let failure: any Error
    }

    /// The largest number of renewals. A server that is shutting down may close several connections in a row.
    private static let limit = 4

    /// Sends a request, and makes it again while its connection fails. The uppermost stage that changes the request
    /// repeats it. The stages below change it again as it passes them.
    ///
    /// - Parameter send: makes the request to send from the given one, and sends it.
    package nonisolated(nonsending) static func fly(
        _ request: Request, _ context: CallContext, _ send: nonisolated(nonsending) (Request) async throws -> Response
    ) async throws -> Response {
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
    /// Counts a renewal as a resend of the transport and not as an attempt.
    fileprivate func noteRenewal() {
        progress.withLock { progress in
            progress.attempts -= 1
            progress.resends += 1
        }
        emit(.resentOnFreshConnection)
    }
}
