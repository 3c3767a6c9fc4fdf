import TarmacCore

/// Encrypts requests and decrypts responses. A response that cannot be decrypted is refused.
struct EncryptionInterceptor: Interceptor {
    let cipher: any PayloadCipher

    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context
        let policy = PayloadPolicy(Settings.encryption.name, request, context)
        try policy.checkDelivery()
        try policy.checkOrigin(of: request)
        try policy.checkBody(of: request)
        return try await Renewal.fly(request, context) { request in
            var sealed = try await seal(request, context)
            sealed.sending = request.sending
            let opened = try await open(try await chain.proceed(sealed), to: sealed, context)
            try check(opened, limit: context.options.values.maximumInflatedSize)
            return opened
        }
    }

    private func seal(_ request: Request, _ context: CallContext) async throws -> Request {
        do {
            return try await cipher.seal(request, at: context.time.date)
        } catch let error where error is TarmacError || error is CancellationError {
            throw error
        } catch {
            throw TarmacError(.callerFailed, phase: .sending, "the cipher \(type(of: cipher)) threw \(type(of: error))", cause: error)
        }
    }

    private func open(_ response: Response, to request: Request, _ context: CallContext) async throws -> Response {
        do {
            return try await cipher.open(response, to: request, at: context.time.date)
        } catch let error as TarmacError {
            throw error.refusing(response)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw TarmacError(.decryptionFailed, phase: .receiving, "the cipher \(type(of: cipher)) threw \(type(of: error))", cause: error)
                .refusing(response)
        }
    }

    /// A custom format may grow when it is decrypted.
    private func check(_ response: Response, limit: Int) throws(TarmacError) {
        guard let body = response.body.collected, body.count > limit else { return }
        throw TarmacError(
            .bodyTooLarge, phase: .receiving, "the decrypted body is larger than the limit of \(limit) bytes",
            suggestion: "raise maximumInflatedSize if this server is to be trusted"
        ).refusing(response)
    }
}
