extension Engine {
    /// The runtime of a call that other calls wait for: that of the work's environment, even after the client has left it.
    ///
    /// `nil` if the work is another engine's, or if the call's runtime is the same as any call's.
    func begin(_ service: Service, within work: AwaitedWork) throws(TarmacError) -> (id: UInt64, runtime: ServiceRuntime)? {
        let runtime = work.runtime
        guard owns(runtime) else { return nil }
        if runtime.service == registered(service) {
            guard runtime.join() else { throw .clientShutDown }
            return (nextCall(), runtime)
        }
        if environment == runtime.environment { return nil }
        let made = try makeRuntime(registered(service), runtime.environment)
        guard made.begin() else { throw .clientShutDown }
        // It closes after this one call.
        retire(made)
        return (nextCall(), made)
    }
}
