/// The parts of the service that stages use.
extension CallContext {
    /// The service and the state that modules keep for it.
    package var scope: ServiceScope { runtime.scope }
    /// The clocks.
    package var time: any TimeSource { runtime.time }
    /// The source of randomness for jitter and keys.
    package var randomness: Randomness { runtime.scope.client.randomness }
    /// The changes that the client's calls have made on servers.
    package var changes: ChangeLog { runtime.scope.client.changes }
    /// The source of the call's credentials.
    package var credentials: (any CredentialSource)? { options.credentials }
    /// The capabilities of the transport.
    package var capabilities: TransportCapabilities { runtime.transport.capabilities }
    /// The heap for time limits.
    package var deadlines: DeadlineHeap { runtime.deadlines }

    /// Waits until `instant`.
    ///
    /// - Throws: an error if the call is cancelled or the client shut down before.
    package func pause(until instant: Moment) async throws { try await runtime.waits.pause(self, until: instant) }

    /// Waits until the wait is settled, at the latest until the call's deadline.
    ///
    /// - Throws: an error if the call is cancelled or the client shut down before.
    package func hold(_ wait: CallWait) async throws { try await runtime.waits.hold(wait, for: self) }

    /// Begins work that may outlive the call. Returns `nil` if the connections of the service are closing.
    package func beginWork() -> ServiceWork? { runtime.join() ? ServiceWork(runtime: runtime) : nil }
}

/// Work that a shutdown of its service waits for. End it once.
package struct ServiceWork: Sendable {
    fileprivate let runtime: ServiceRuntime

    package func end() { runtime.leave() }
}
