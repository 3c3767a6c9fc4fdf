extension ClientScope {
    /// Returns a client that does not keep the engine alive, or `nil` once the engine is gone.
    package func client() -> Client? { (owner as? Engine).map { Client(unowned: $0) } }

    /// The settings of the client and its services, lowest first.
    package var layers: [Options] { (owner as? Engine)?.layers ?? [] }
}

extension AwaitedWork {
    /// A client whose calls belong to the work, or `nil` once the engine is gone.
    package var client: Client? { runtime.scope.client.client().map { Client(unowned: $0.engine, binding: CallBinding(awaitedWork: self)) } }
}
