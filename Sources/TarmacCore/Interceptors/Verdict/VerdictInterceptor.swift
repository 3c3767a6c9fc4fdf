import HTTPTypes

/// Judges what comes up, once, and attaches the verdict; nothing above judges again.
struct VerdictInterceptor: Interceptor {
    @inline(__always)
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        var response = try await chain.proceed(request)
        if !chain.context.judge(&response, to: request) { response = try await chain.context.judgedOnceRead(response, to: request) }
        await chain.context.noteChange(by: request, response)
        return response
    }
}

extension CallContext {
    /// Notes what a request has changed on its server: stored answers to it are asked for again (RFC 9111 §4.4).
    @inline(__always)
    func noteChange(by request: Request, _ response: Response) async {
        // A question has a body and changes nothing.
        if ChangedURLs.isSafe(request.method) || request[AnswerKey.self]?.question != nil { return }
        await changes.note(
            ChangedURLs.of(method: request.method, url: request.question.url, status: response.status, headers: response.headers), by: self)
    }

    /// Attaches the verdict, unless there is one; `false` when the body has to be read for it, by ``judgedOnceRead(_:to:)``.
    package func judge(_ response: inout Response, to request: Request) -> Bool {
        // What is stored is still good, which is what was asked.
        if response.status == .notModified, request.expects.contains(.notModified) {
            response.verdict = .success
            return true
        }
        if response.verdict != nil { return true }
        // Nearly every response is here already.
        if case .stream = response.body { return false }
        verdictPolicy(for: request).judge(&response)
        return true
    }

    package func judgedOnceRead(_ response: Response, to request: Request) async throws -> Response {
        let policy = verdictPolicy(for: request)
        var response = try await collectingFailure(collectingAnswer(response), policy: policy)
        policy.judge(&response)
        return response
    }

    /// The rules by which this call's answers are judged.
    package func verdictPolicy(for request: Request) -> VerdictPolicy {
        // Each setting by itself: a copy of them all would cost more than the judgement.
        let options = options
        let needs = AnswerNeeds(needsJSON: needsJSON, accepts: accepts, decoder: options.values.decoder)
        return VerdictPolicy(
            status: acceptableStatus(for: request), contentTypes: needs.contentTypes(options.values.acceptableContentTypes),
            envelope: options.values.checksEnvelope ? options.values.envelope : .none, shape: options.values.shape,
            readsJSON: options.values.decoder.readsJSON, needsJSON: needs.isJSON && request.method != .head,
            ignoresBody: ignoresBody, documentOptions: documentOptions, isStreamed: !delivery.isBuffered, requestFields: request.headers)
    }

    /// The caller knows nothing of the ranges a download asks for: a part is as good as the whole.
    func acceptableStatus(for request: Request) -> AcceptableStatus {
        let status = options.values.acceptableStatus
        return request.expects.contains(.part) ? status.acceptingParts : status
    }

    /// An interceptor may answer a buffered call with a stream.
    private func collectingAnswer(_ response: Response) async throws -> Response {
        guard delivery.isBuffered, case .stream(let stream) = response.body else { return response }
        var response = response
        response.body = .bytes(try await stream.collect(upTo: options.values.maximumBodySize))
        return response
    }

    /// A failure keeps the beginning of its body, streamed or not, so that the error can show it.
    private func collectingFailure(_ response: Response, policy: VerdictPolicy) async throws -> Response {
        guard case .stream(let stream) = response.body, !policy.status.contains(response.status.code) else { return response }
        var response = response
        // One byte more than is kept tells that there was more.
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
