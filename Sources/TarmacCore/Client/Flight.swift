import HTTPTypes

/// One call from start to landing. Only here does an error get its context.
package struct Flight: Sendable {
    package let context: CallContext

    /// Runs a call until its response: builds the request and sends it up the chain. The caller makes the value and
    /// ends the flight.
    ///
    /// The method is not generic and never inlined, so there is one copy of it for values of all types.
    ///
    /// - Parameter respond: returns the response in another way than with one request, such as with many.
    /// - Returns: the response, and the flight to end.
    @inline(never)
    static func arrive(
        _ plan: FlightPlan, on engine: Engine, for binding: CallBinding, delivery: CallDelivery, call: Options,
        restartsTimeout: Bool = false, progress: (@Sendable (TransferProgress) -> Void)? = nil, isolation: isolated (any Actor)? = #isolation,
        build: (RequestBuilder) throws -> RequestBuilder.Built,
        respond: ((Flight, Request) async throws -> Response)? = nil
    ) async throws -> (ending: FlightEnding, response: Response) {
        let (id, runtime) = try Self.begin(plan, engine, binding.awaitedWork)
        let flight = Flight(
            context: makeContext(
                plan, id: id, runtime: runtime, binding: binding, delivery: delivery, call: call, restartsTimeout: restartsTimeout, progress: progress))
        let place = runtime.enter(flight.context)
        if binding.isCancelled { flight.context.cancel() }
        let ending = FlightEnding(
            flight: flight, place: place, slow: SlowCallWatch.start(flight.context),
            companion: flight.context.options.companions?.companion(of: flight.context, on: isolation))
        if let companion = ending.companion { await companion.start() }
        do {
            if let fault = flight.context.options.fault { throw fault }
            let request = try flight.makeRequest(build)
            flight.announce(request)
            let response = if let respond { try await respond(flight, request) } else { try await flight.answer(to: request) }
            return (ending, response)
        } catch {
            throw await ending.fail(error)
        }
    }

    private static func begin(_ plan: FlightPlan, _ engine: Engine, _ work: AwaitedWork?) throws -> (UInt64, ServiceRuntime) {
        do { return try engine.begin(plan.service, for: work) } catch {
            throw error.with(
                context: .init(endpoint: plan.name, service: plan.service.name, request: "not built", attempts: 0, duration: .zero))
        }
    }

    package static func makeContext(
        _ plan: FlightPlan, id: UInt64, runtime: ServiceRuntime, binding: CallBinding, delivery: CallDelivery, call: Options,
        restartsTimeout: Bool = false, progress: (@Sendable (TransferProgress) -> Void)?
    ) -> CallContext {
        CallContext(
            id: id, endpoint: plan.name, runtime: runtime, binding: binding, options: plan.resolved(runtime, call),
            delivery: delivery, needsJSON: plan.needsJSON && delivery.isBuffered,
            accepts: delivery.isBuffered ? plan.accepts : .any, ignoresBody: plan.ignoresBody,
            restartsTimeout: restartsTimeout, transferProgress: progress)
    }

    package func endStream() { context.endStream() }

    var elapsed: Duration { context.runtime.time.moment - context.start }

    // MARK: Up the chain

    private func announce(_ request: Request) {
        context.emitStep(.started(request: "\(request.method.rawValue) \(context.redactor.url(request.url))"))
        if let warning = context.runtime.warning { context.emit(.warning(warning)) }
    }

    /// Sends a request up the chain and returns its response, or throws its failure.
    package func answer(to request: Request) async throws -> Response {
        var response = try await Chain(context).proceed(request)
        // A response that an interceptor made or changed has no verdict yet.
        if !context.judge(&response, to: request) { response = try await context.judgedOnceRead(response, to: request) }
        if let error = response.verdict?.error {
            await response.evict(after: error)
            throw error
        }
        return response
    }

    private func makeRequest(_ build: (RequestBuilder) throws -> RequestBuilder.Built) throws -> Request {
        let built = try build(RequestBuilder(context.options, service: context.scope, delivery: context.delivery))
        context.addSecrets(built.secrets)
        context.setRequest(built.request, template: built.template)
        context.beginLogin(built.request)
        return built.request
    }

    // MARK: Landing

    /// Returns the value of a response after the endpoint's hook. `landing` is the endpoint's.
    package func landed<E: Endpoint>(_ endpoint: E, _ landing: Landing<E.Value>, _ response: Response) async throws -> Landed<E.Value> {
        let payload = context.payload(of: response)
        let landed = Landed(
            value: try landing.checkedValue(of: payload), attempts: context.attempts, duration: elapsed, payload: payload)
        do { try await endpoint.didLand(landed) } catch let error where error is TarmacError || error is CancellationError {
            throw error
        } catch {
            throw TarmacError(.callerFailed, phase: .delivering, "didLand of \(endpoint.endpointName) threw \(type(of: error))", cause: error)
                .with(response: payload.snapshot)
        }
        return landed
    }

    // MARK: Errors

    /// Returns the final error of the call: adds the context, wraps foreign errors, applies the hooks and emits the
    /// event.
    func funnel(_ error: any Error) -> any Error {
        if error is CancellationError || context.isCancelled {
            context.emit(.cancelled(duration: elapsed))
            return CancellationError()
        }
        let known = error as? TarmacError ?? TarmacError.foreign(error)
        var failure = context.masked(known.with(context: context.errorContext()))
        let hooks = context.options.values.mapError
        if !hooks.isEmpty { failure = hooks.reduce(failure) { $1($0) }.with(unmapped: failure) }
        context.emit(.failed(failure, duration: elapsed))
        return failure
    }
}
