extension Engine {
    /// Returns the runtime for a call that other calls wait for. It is the runtime of the work's environment, even
    /// after the client switched to another one.
    ///
    /// - Returns: `nil` if the work belongs to another engine, or if the call uses the same runtime as any other
    ///   call.
    func begin(_ service: Service, within work: AwaitedWork) throws(TarmacError) -> (id: UInt64, runtime: ServiceRuntime)? {
        let runtime = work.runtime
        guard owns(runtime) else { return nil }
        if runtime.service == registered(service) {
            try service.checkSame(as: runtime.service)
            guard runtime.join() else { throw .clientShutDown }
            return (nextCall(), runtime)
        }
        if environment == runtime.environment, !isDraining { return nil }
        let made = try makeRuntime(checked(service), runtime.environment)
        guard made.begin() else { throw .clientShutDown }
        // The runtime closes after this one call.
        retire(made)
        return (nextCall(), made)
    }
}
