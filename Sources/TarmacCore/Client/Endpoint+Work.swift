extension Endpoint {
    public var _plan: WorkPlan<Value, TransferProgress> {
        WorkPlan(endpointName) { run in
            WorkTraits(service: run.service ?? service, tags: run.engine.tags(of: self, run.options))
        } perform: { run, progress in
            WorkResult(try await run.engine.land(self, run.options, run.binding, to: run.service, progress: progress))
        }
    }
}

extension Engine {
    /// Returns the tags that a call will have.
    func tags<E: Endpoint>(of endpoint: E, _ call: Options) -> Set<CallTag> {
        guard let runtime = try? runtime(endpoint.service) else { return [] }
        return FlightPlan(endpoint).resolved(runtime, call).values.tags
    }
}
