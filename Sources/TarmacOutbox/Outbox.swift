public import TarmacCore

/// Mutations that are stored before they are sent, and sent until the server has them.
///
/// ```swift
/// let outbox = try Outbox(client: client, store: SQLiteOutboxStore(database))
/// outbox.start()
/// let id = try await outbox.enqueue(CreateOrder(items: cart.items), lane: "orders")
/// ```
/// - **Nothing is lost.** When `enqueue` has returned, the mutation is in the store, with all it needs but its credentials; it
///   goes on after a restart, or after the process was killed at any moment. A large body is a file beside the store.
/// - **At least once, under one key.** What is not known to have arrived is sent again with the same `Idempotency-Key`, by
///   which the server acts on it once (draft-ietf-httpapi-idempotency-key-header).
/// - **In order.** Entries of a lane are sent one after another; a head that cannot be sent holds its own lane alone. Lanes
///   go side by side.
/// - **Credentials are never stored.** The authenticator of client or service adds them to each attempt, on behalf of the
///   principal the entry was enqueued for, in the environment it was enqueued in, and never those of another account than was
///   logged in then (``OutboxMutation/account``).
///
/// The settings of client and service apply to each attempt: envelope, timeouts, signing. Those of the endpoint's
/// `configure` and of the call are used to make the request, and are gone afterwards, since the endpoint's type is not known
/// after a restart; `configure` of the outbox sets what else an attempt needs. `didLand` does not run; see ``changes``.
///
/// Keep it as long as the client. It does not keep the client from being shut down. When it is dropped, what is in flight is
/// cancelled and stays stored; ``shutdown(grace:)`` lets it end first.
public final class Outbox: Sendable {
    let core: OutboxCore

    /// - Parameters:
    ///   - client: sends the entries; the services of their endpoints are listed in it.
    ///   - store: where they are kept. Two outboxes, also of two processes, may share one: each entry is sent by one of them.
    ///   - rule: how it sends.
    ///   - sealer: seals what an entry sends, and what the server said of it. Lanes, principals, dates and counts stay in the
    ///     clear. What was stored without it is still read.
    ///   - configure: changes the settings an entry is sent with, such as by its endpoint's name. Default: nothing.
    /// - Throws: `TarmacError(.invalidOption)` for a rule that cannot be used.
    public init(
        client: Client, store: any OutboxStore, rule: OutboxRule = OutboxRule(), sealer: (any Sealer)? = nil,
        configure: OutboxConfiguration? = nil
    ) throws(TarmacError) {
        if let fault = rule.fault { throw TarmacError(.invalidOption, "the outbox's rule cannot be used: \(fault)") }
        core = OutboxCore(engine: client.engine, store: store, rule: rule, sealer: sealer, configure: configure)
    }

    deinit { core.stop(cancelling: true) }

    // MARK: Life

    /// Begins to send what is stored; until then entries are only taken in. More calls do nothing.
    public func start() { core.start() }

    /// Sends nothing new until ``resume()``; what is in flight goes on, and entries are taken in.
    public func pause() { core.setPaused(true) }

    /// Goes on after ``pause()``.
    public func resume() { core.setPaused(false) }

    /// Looks at the store now, such as after the environment was switched.
    ///
    /// It looks by itself when it starts, when something is enqueued, when a pause is over, and every
    /// ``OutboxRule/checkInterval``.
    public func wake() { core.wake() }

    /// Tries at once what waits for its next attempt, except where a server asked for a pause. It happens by itself when the
    /// client's ``ConnectivityMonitor`` says that a network is there again; call it where the app knows better.
    public func connectivityReturned() { core.wake(ignoringPauses: true) }

    /// Returns once nothing is in flight and nothing is to be sent, now or after a pause. Dead letters, lanes they hold, and
    /// entries of other environments are not waited for. Returns at once after ``shutdown(grace:)``.
    public func waitUntilIdle() async { await core.idle() }

    /// Sends nothing new, and returns when nothing is in flight. Everything that is not known to have arrived stays stored.
    ///
    /// - Parameter grace: how long what is in flight may take before it is cancelled. Default 5 s.
    public func shutdown(grace: Duration = .seconds(5)) async {
        core.stop(cancelling: false)
        let core = core
        // LIFETIME: ends below, with the outbox or its grace.
        let timer = Task.detached {
            try await core.engine.time.sleep(until: core.engine.time.now + grace)
            core.stop(cancelling: true)
        }
        await core.ended()
        timer.cancel()
    }
}

extension Outbox: CustomStringConvertible, CustomReflectable {
    public var description: String { "outbox" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
