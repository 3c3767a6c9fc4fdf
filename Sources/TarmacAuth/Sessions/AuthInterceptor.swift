import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// Sends a call when its credentials are valid, and again after they were refused if there are new ones.
///
/// The interceptor is above dispatch, so a call that waits for a token holds no slot, and above the verdict, whose
/// codes for expired credentials it reads. STAMP adds the credentials to the request.
struct AuthInterceptor: Interceptor {
    let credentials: SessionCredentials

    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context
        guard context.authenticates(request) else { return try await chain.proceed(request) }
        let session = try credentials.session()
        // A call of the refresh itself must not wait for it.
        if context.isWork(of: session) { return try await chain.proceed(request) }
        var pass = AuthPass(session: session)
        defer { session.leave(pass) }
        while true {
            try await session.admit(&pass, for: context)
            let response: Response
            do { response = try await chain.carrying(pass).proceed(request) } catch is AuthTurnBack { continue }
            let isRefused = context.isRefused(response)
            // Nearly every response.
            if session.passesOn(response, isRefused: isRefused) { return response }
            let again = try await session.judge(response, to: request, isRefused: isRefused, &pass, for: context)
            if !again { return response }
            context.emit(AuthEvent.replayed)
        }
    }
}

extension CallContext {
    /// Whether the response has status 401, or a code of the envelope with that meaning. A 403 does not count, because
    /// other credentials of the same caller do not help.
    fileprivate func isRefused(_ response: Response) -> Bool {
        response.status == .unauthorized || response.status != .forbidden && isExpired(response.verdict?.error)
    }

    /// Whether an error has a code that the envelope lists as expired credentials.
    func isExpired(_ error: TarmacError?) -> Bool {
        error?.hasCode(of: options.values.envelope.expired) ?? false
    }
}

extension Chain {
    fileprivate func carrying(_ pass: AuthPass) -> Chain {
        let chain = attaching(pass)
        return pass.call.isReplay || pass.place != nil ? chain.attaching(DispatchPass(isReplay: pass.call.isReplay, place: pass.place)) : chain
    }
}
