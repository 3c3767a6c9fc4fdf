import HTTPTypes

/// One call from take-off to landing: the only place where an error gets its context.
struct Flight: Sendable {
    let context: CallContext

    /// Flies a call and runs `land` on its response.
    ///
    /// - Parameter respond: gets the response in another way than by one request, such as by many.
    static func fly<E: Endpoint, Value: Sendable>(
        _ endpoint: E, on engine: Engine, for binding: CallBinding, delivery: CallDelivery, call: Options,
        isUpload: Bool = false, progress: (@Sendable (TransferProgress) -> Void)? = nil, isolation: isolated (any Actor)? = #isolation,
        build: (RequestBuilder) throws -> RequestBuilder.Built,
        respond: ((Flight, Request) async throws -> Response)? = nil,
        land: (Flight, Response) async throws -> Value
    ) async throws -> Value {
        let (id, runtime) = try Self.begin(endpoint, engine, binding.awaitedWork)
        let flight = Flight(
            context: makeContext(
                endpoint, id: id, runtime: runtime, binding: binding, delivery: delivery, call: call, isUpload: isUpload, progress: progress))
        let place = runtime.enter(flight.context)
        defer { runtime.end(place) }
        if binding.isCancelled { flight.context.cancel() }
        let slow = SlowCallWatch.start(flight.context)
        defer { slow?.end() }
        let companion = flight.context.options.companions?.companion(of: flight.context, on: isolation)
        if let companion, !companion.startsNow() { await companion.willStart() }
        do {
            if let fault = flight.context.options.fault { throw fault }
            let request = try flight.makeRequest(build)
            flight.announce(request)
            let response = if let respond { try await respond(flight, request) } else { try await flight.answer(to: request) }
            let value: Value
            do { value = try await land(flight, response) } catch {
                await response.evict(after: error)
                throw error
            }
            try flight.context.land()
            flight.context.emit(.landed(status: response.status, duration: flight.elapsed))
            if let companion {
                let outcome = { CallOutcome.landed(value: (value as? Landed<E.Value>)?.value ?? value, response: response) }
                if !companion.landsNow(outcome) { await companion.end(outcome()) }
            }
            return value
        } catch {
            let failure = flight.funnel(error)
            await companion?.end(CallOutcome(failure))
            throw failure
        }
    }

    private static func begin<E: Endpoint>(_ endpoint: E, _ engine: Engine, _ work: AwaitedWork?) throws -> (UInt64, ServiceRuntime) {
        do { return try engine.begin(endpoint.service, for: work) } catch {
            throw error.with(
                context: .init(endpoint: endpoint.endpointName, service: endpoint.service.name, request: "not built", attempts: 0, duration: .zero))
        }
    }

    static func makeContext<E: Endpoint>(
        _ endpoint: E, id: UInt64, runtime: ServiceRuntime, binding: CallBinding, delivery: CallDelivery, call: Options,
        isUpload: Bool = false, progress: (@Sendable (TransferProgress) -> Void)?
    ) -> CallContext {
        let name = endpoint.endpointName
        let landing = endpoint.landing.of(name)
        return CallContext(
            id: id, endpoint: name, runtime: runtime, binding: binding, options: options(endpoint, runtime, call),
            delivery: delivery, needsJSON: landing.needsJSON && delivery.isBuffered,
            accepts: delivery.isBuffered ? landing.accepts : .any, ignoresBody: landing.ignoresBody,
            isUpload: isUpload, transferProgress: progress)
    }

    static func options<E: Endpoint>(_ endpoint: E, _ runtime: ServiceRuntime, _ call: Options) -> ResolvedOptions {
        var own = Options()
        endpoint.configure(&own)
        if own.isEmpty, call.isEmpty { return runtime.options }
        return runtime.options.adding([
            OptionLayer(origin: .endpoint(endpoint.endpointName), options: own), OptionLayer(origin: .call, options: call),
        ])
    }

    func endStream() { context.endStream() }

    private var elapsed: Duration { context.runtime.time.now - context.start }

    // MARK: Up the chain

    private func announce(_ request: Request) {
        context.emit(.started(request: "\(request.method.rawValue) \(context.redactor.url(request.url))"))
        if let warning = context.runtime.warning { context.emit(.warning(warning)) }
    }

    /// Sends a request up the chain; a failure is thrown.
    func answer(to request: Request) async throws -> Response {
        var response = try await Chain(context).proceed(request)
        // What an interceptor answered or changed has no verdict yet.
        if !context.judge(&response, to: request) { response = try await context.judgedOnceRead(response, to: request) }
        if let error = response.verdict?.error {
            await response.evict(after: error)
            throw error
        }
        return response
    }

    private func makeRequest(_ build: (RequestBuilder) throws -> RequestBuilder.Built) throws -> Request {
        let built = try build(RequestBuilder(context.options, runtime: context.runtime, delivery: context.delivery))
        context.addSecrets(built.secrets)
        context.setRequest(built.request)
        return built.request
    }

    // MARK: Landing

    func landed<E: Endpoint>(_ endpoint: E, _ response: Response) async throws -> Landed<E.Value> {
        let payload = context.payload(of: response)
        let landed = Landed(
            value: try endpoint.landing.checkedValue(of: payload), attempts: context.attempts, duration: elapsed, payload: payload)
        do { try await endpoint.didLand(landed) } catch let error where error is TarmacError || error is CancellationError {
            throw error
        } catch {
            throw TarmacError(.landingHookFailed, phase: .delivering, "didLand of \(endpoint.endpointName) threw \(type(of: error))", cause: error)
                .with(response: payload.snapshot)
        }
        return landed
    }

    // MARK: Errors

    /// The one funnel: context filled in, foreign errors given a code, hooks applied, the landing announced.
    private func funnel(_ error: any Error) -> any Error {
        if error is CancellationError || context.isCancelled {
            context.emit(.cancelled(duration: elapsed))
            return CancellationError()
        }
        let known = error as? TarmacError ?? Landings.foreign(error)
        var failure = known.with(context: context.errorContext())
        let hooks = context.options.values.mapError
        if !hooks.isEmpty { failure = hooks.reduce(failure) { $1($0) }.with(unmapped: failure) }
        context.emit(.failed(failure, duration: elapsed))
        return failure
    }
}
