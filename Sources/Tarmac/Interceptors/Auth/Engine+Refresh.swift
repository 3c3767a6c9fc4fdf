extension Engine {
    /// The runtime for a call made by a refresh: that of the token's environment, be it left meanwhile. A token never
    /// goes to another environment than its own (law 7).
    ///
    /// `nil` when the refresh is another engine's, or the call's runtime is the same as any call's.
    func begin(_ service: Service, within scope: RefreshScope) throws(TarmacError) -> (id: UInt64, runtime: ServiceRuntime)? {
        let runtime = scope.runtime
        guard owns(runtime) else { return nil }
        if runtime.service == registered(service) {
            guard runtime.join() else { throw Self.shutDown }
            return (nextCall(), runtime)
        }
        if environment == runtime.environment { return nil }
        let made = try makeRuntime(registered(service), runtime.environment)
        guard made.begin() else { throw Self.shutDown }
        // It closes after this one call.
        retire(made)
        return (nextCall(), made)
    }
}
