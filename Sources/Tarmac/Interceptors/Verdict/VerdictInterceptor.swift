import HTTPTypes

/// Judges what comes up, once, and attaches the verdict; nothing above judges again.
struct VerdictInterceptor: Interceptor {
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let response = try await chain.proceed(request)
        let options = chain.context.options
        let policy = VerdictPolicy(
            status: options.values.acceptableStatus, contentTypes: options.values.acceptableContentTypes,
            envelope: options.values.checksEnvelope ? options.values.envelope : .none,
            shape: options.values.shape, readsJSON: options.values.decoder.readsJSON,
            needsJSON: chain.context.needsJSON && request.method != .head, ignoresBody: chain.context.ignoresBody,
            documentOptions: chain.context.documentOptions)
        return policy.judge(try await collectingFailure(response, policy: policy))
    }

    /// A failure keeps the beginning of its body, streamed or not, so that the error can show it.
    private func collectingFailure(_ response: Response, policy: VerdictPolicy) async throws -> Response {
        guard case .stream(let stream) = response.body, !policy.status.contains(response.status.code) else { return response }
        var response = response
        var collector = ByteCollector(limit: ResponseSnapshot.bodyLimit)
        for try await chunk in stream {
            do { try collector.append(chunk) } catch { break }
        }
        response.body = .bytes(collector.finish())
        return response
    }
}
