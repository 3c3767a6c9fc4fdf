#if Telemetry
public import ServiceLifecycle
@_spi(TarmacRooms) public import TarmacCore

/// A client as a service of swift-service-lifecycle. It runs until the service group shuts down, and then shuts the client down.
///
/// ```swift
/// let group = ServiceGroup(services: [ClientService(client), server], logger: logger)
/// ```
/// List it before the services that make calls: a group shuts its services down in reverse order, so the client is the last one to go.
/// No call begins then. Those in flight have some time to end, and after it they fail with `TarmacError(.clientShutDown)`.
public struct ClientService: ServiceLifecycle.Service {
    private let client: Client
    private let grace: Duration
    private let deadline: Duration

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - client: the client that the service shuts down.
    ///   - grace: the time that calls have to end by themselves. Default: 5 s. A negative one counts as zero.
    ///   - deadline: the longest time that the end of the group waits for the client, grace included. Default: 10 s. The shutdown goes on
    ///     after it. A negative one counts as zero.
    public init(_ client: Client, grace: Duration = .seconds(5), deadline: Duration = .seconds(10)) {
        self.client = client
        self.grace = grace
        self.deadline = deadline.withinACentury
    }

    /// Runs until the group shuts down gracefully, or until the task is cancelled. The client is shut down in both cases.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    public func run() async throws {
        do { try await gracefulShutdown() } catch {
            // A cancelled task has no time to give.
            await shutdown(grace: .zero)
            throw error
        }
        await shutdown(grace: grace)
    }

    private func shutdown(grace: Duration) async {
        let over = Settlement<Void>()
        // LIFETIME: ends with the shutdown, which ends the client's calls. No cancellation reaches it.
        let closing = Task.detached { [client] in
            await client.shutdown(grace: grace)
            over.settle(.success(()))
        }
        // LIFETIME: ends with the deadline, or is cancelled with the shutdown's end.
        let timer = Task.detached { [deadline, time = client.engine.time] in
            try? await time.sleep(until: time.moment + deadline)
            over.settle(.success(()))
        }
        // A cancelled task waits as well: it is not asked whether it was.
        await Task.detached { try? await over.value() }.value
        timer.cancel()
        _ = closing
    }
}

extension ClientService: MaskedReflectable {
    public var description: String { "the client" }
}
#endif
