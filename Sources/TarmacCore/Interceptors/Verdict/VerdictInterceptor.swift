import HTTPTypes
@_spi(TarmacRooms) import TarmacHTTP

/// Judges each response once and attaches the verdict. The stages above do not judge again.
struct VerdictInterceptor: Interceptor {
    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        var response = try await chain.proceed(request)
        if !chain.context.judge(&response, to: request) { response = try await chain.context.judgedOnceRead(response, to: request) }
        if !ChangedURLs.isSafe(request.method) { await chain.context.noteChange(by: request, response) }
        return response
    }
}

extension CallContext {
    /// Notes the URLs that a request has changed on its server, so that stored responses to them are requested again
    /// (RFC 9111 §4.4).
    @inline(never)
    nonisolated(nonsending) func noteChange(by request: Request, _ response: Response) async {
        // A question has a body and changes nothing.
        if request[ResponseKey.self]?.question != nil { return }
        await changes.note(
            ChangedURLs.of(method: request.method, url: request.question.url, status: response.status, headers: response.headers), by: self)
    }

    /// Attaches a verdict unless there is one. Returns `false` if the body must be read first, by
    /// ``judgedOnceRead(_:to:)``.
    package func judge(_ response: inout Response, to request: Request) -> Bool {
        // The stored response is still valid, which was the question.
        if response.status == .notModified, request.expects(.notModified) {
            response.verdict = .success
            return true
        }
        if response.verdict != nil { return true }
        response.reading = options.reading
        // Nearly every body is already complete.
        if case .stream = response.body { return false }
        verdictPolicy(for: request).judge(&response)
        return true
    }

    @inline(never) package nonisolated(nonsending) func judgedOnceRead(_ response: Response, to request: Request) async throws -> Response {
        let policy = verdictPolicy(for: request)
        var response = try await collectingFailure(collectingAnswer(response), policy: policy)
        policy.judge(&response)
        return response
    }

    /// Returns the rules for judging this call's responses.
    package func verdictPolicy(for request: Request) -> VerdictPolicy {
        // Reads each setting separately: copying them all would cost more than judging.
        let options = options
        let needs = LandingNeeds(needsJSON: needsJSON, accepts: accepts, decoder: options.values.decoder)
        return VerdictPolicy(
            status: acceptableStatus(for: request), contentTypes: needs.contentTypes(options.values.acceptableContentTypes),
            envelope: options.values.envelope, shape: options.values.shape,
            readsJSON: options.values.decoder.readsJSON, needsJSON: needs.isJSON && request.method != .head,
            ignoresBody: ignoresBody, documentOptions: documentOptions, isStreamed: !delivery.isBuffered,
            checksEnvelope: !request.expects(.anyEnvelope), requestFields: request.headers)
    }

    /// Returns the acceptable statuses. A download requests ranges that the caller does not know of, so a part counts
    /// as success.
    func acceptableStatus(for request: Request) -> AcceptableStatus {
        let status = options.values.acceptableStatus
        return request.expects(.part) ? status.acceptingParts : status
    }

    /// Collects the body if an interceptor answered a buffered call with a stream.
    private func collectingAnswer(_ response: Response) async throws -> Response {
        guard delivery.isBuffered, case .stream(let stream) = response.body else { return response }
        var response = response
        response.body = .bytes(try await stream.collect(upTo: options.values.maximumBodySize))
        return response
    }

    /// Keeps the beginning of a failure's body, streamed or not, so that the error can show it.
    private func collectingFailure(_ response: Response, policy: VerdictPolicy) async throws -> Response {
        guard case .stream(let stream) = response.body, policy.refuses(response.status.code) else { return response }
        var response = response
        // One byte more than is kept shows that there was more.
        let limit = ResponseSnapshot.bodyLimit + 1
        var collector = ByteCollector(limit: limit)
        for try await chunk in stream {
            try collector.append(chunk.prefix(limit - collector.count))
            if collector.count == limit { break }
        }
        response.body = .bytes(collector.finish())
        return response
    }
}
