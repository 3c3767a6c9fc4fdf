import HTTPTypes
import TarmacCore

/// Signs requests and verifies responses.
struct SignatureInterceptor: Interceptor {
    let signer: (any RequestSigner)?
    let verifier: (any ResponseVerifier)?

    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        // The stage that encrypted the request makes it again.
        guard signer != nil, !request.sending.isOnce, PayloadPolicy(Settings.signing.name, request, chain.context).isOwn else {
            return try await exchange(request, chain)
        }
        return try await Renewal.fly(request, chain.context) { try await exchange($0, chain) }
    }

    private func exchange(_ request: Request, _ chain: Chain) async throws -> Response {
        let context = chain.context
        var signed = try await sign(try await prepared(request, context), context)
        signed.sending = request.sending
        let response = try await chain.proceed(signed)
        if let verifier { try await verify(response, to: signed, verifier, context) }
        return response
    }

    private func prepared(_ request: Request, _ context: CallContext) async throws -> Request {
        guard let verifier else { return request }
        let policy = PayloadPolicy(Settings.verification.name, request, context)
        try policy.checkDelivery()
        try policy.checkOrigin(of: request)
        var request = try await prepared(request, verifier)
        // Such a transport hands on decoded bytes, and the signature covers the coded ones.
        if context.capabilities.contains(.decodesContent) { request.headers[.acceptEncoding] = AcceptEncoding.identity }
        return request
    }

    private func prepared(_ request: Request, _ verifier: any ResponseVerifier) async throws -> Request {
        do {
            return try await verifier.prepare(request)
        } catch let error where error is TarmacError || error is CancellationError {
            throw error
        } catch {
            throw TarmacError(.callerFailed, phase: .sending, "the verifier \(type(of: verifier)) threw \(type(of: error))", cause: error)
        }
    }

    private func sign(_ request: Request, _ context: CallContext) async throws -> Request {
        let policy = PayloadPolicy(Settings.signing.name, request, context)
        guard let signer, policy.isOwn else { return request }
        try policy.checkBody(of: request)
        do {
            return try await signer.sign(request, at: context.time.date)
        } catch let error where error is TarmacError || error is CancellationError {
            throw error
        } catch {
            throw TarmacError(.callerFailed, phase: .sending, "the signer \(type(of: signer)) threw \(type(of: error))", cause: error)
        }
    }

    private func verify(_ response: Response, to request: Request, _ verifier: any ResponseVerifier, _ context: CallContext) async throws {
        do {
            try await verifier.verify(response, to: request, at: context.time.date)
        } catch let error as TarmacError {
            throw error.refusing(response)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw TarmacError(.signatureInvalid, phase: .receiving, "the verifier \(type(of: verifier)) threw \(type(of: error))", cause: error)
                .refusing(response)
        }
    }
}
