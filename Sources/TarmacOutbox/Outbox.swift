public import TarmacCore

/// A queue of mutations that are stored before they are sent, and sent until the server has accepted them.
///
/// ```swift
/// let outbox = try Outbox(client: client, store: SQLiteOutboxStore(database))
/// outbox.start()
/// let id = try await outbox.enqueue(CreateOrder(items: cart.items), lane: "orders")
/// ```
/// - **Nothing is lost.** When `enqueue` returns, the store holds the mutation with everything but its credentials. It
///   is sent after a restart, and after the process was killed at any moment. A large body is a file beside the store.
/// - **At least once, under one key.** A request that is not known to have arrived is sent again with the same
///   `Idempotency-Key`, so that the server acts on it once (draft-ietf-httpapi-idempotency-key-header).
/// - **In order.** The entries of a lane are sent one after another. An entry that cannot be sent holds only its own
///   lane. Lanes are sent side by side.
/// - **Credentials are never stored.** The authenticator of client or service adds them to each attempt, on behalf of
///   the principal and in the environment of the entry, and never those of another account than the one that enqueued
///   it (``OutboxMutation/account``), or of another principal of client or service.
///
/// The settings of client and service apply to each attempt: envelope, timeouts, signing. The settings of the
/// endpoint's `configure` and of the call apply only when the request is built, because the endpoint's type is unknown
/// after a restart. The outbox's `configure` sets whatever else an attempt needs. `didLand` does not run; see
/// ``changes``.
///
/// Keep the outbox as long as the client. It does not prevent the client's shutdown. When it is released, requests in
/// progress are cancelled and stay stored; ``shutdown(grace:)`` lets them finish first.
public final class Outbox: Sendable {
    let core: OutboxCore

    /// - Parameters:
    ///   - client: The client that sends the entries. It must list the services of their endpoints.
    ///   - store: The store of the entries. Outboxes, also of several processes, may share one: each entry is sent by
    ///     one.
    ///   - rule: The rule for sending.
    ///   - sealer: Seals the content of entries and the server's answers. Lanes, principals, dates and counts stay
    ///     readable. Entries that were stored without a sealer are still read.
    ///   - configure: Changes the settings of an entry's attempts, for example by its endpoint's name. Default: none.
    /// - Throws: `TarmacError(.invalidOption)` for an invalid rule.
    public init(
        client: Client, store: any OutboxStore, rule: OutboxRule = OutboxRule(), sealer: (any Sealer)? = nil,
        configure: OutboxConfiguration? = nil
    ) throws(TarmacError) {
        if let fault = rule.fault { throw TarmacError(.invalidOption, "the outbox's rule cannot be used: \(fault)") }
        core = OutboxCore(engine: client.engine, store: store, rule: rule, sealer: sealer, configure: configure)
    }

    deinit { core.stop(cancelling: true) }

    // MARK: Life

    /// Starts sending the stored entries. Until then entries are only stored. Further calls have no effect.
    public func start() { core.start() }

    /// Stops sending new entries until ``resume()``. Requests in progress continue, and entries are still stored.
    public func pause() { core.setPaused(true) }

    /// Continues to send after ``pause()``.
    public func resume() { core.setPaused(false) }

    /// Checks the store now, such as after a change of the environment.
    ///
    /// The outbox checks the store when it starts, when an entry is enqueued, when a pause is over, and at each
    /// ``OutboxRule/checkInterval``.
    public func wake() { core.wake() }

    /// Tries at once the entries that wait for their next attempt, except where a server asked for a pause.
    ///
    /// The outbox does so when the client's ``ConnectivityMonitor`` reports that a network is available again. Call it
    /// if the app knows better.
    public func connectivityReturned() { core.networkReturned() }

    /// Waits until no entry is being sent and none is to be sent, now or after a pause.
    ///
    /// It does not wait for dead letters, for the lanes they hold, or for entries of other environments. It returns at
    /// once after ``shutdown(grace:)``.
    public func waitUntilIdle() async { await core.idle() }

    /// Stops sending, and returns when no request is in progress. Entries that are not known to have arrived stay
    /// stored.
    ///
    /// - Parameter grace: The time that requests in progress have before they are cancelled. A negative one counts as zero.
    ///   Default: 5 s.
    public func shutdown(grace: Duration = .seconds(5)) async {
        core.stop(cancelling: false)
        let core = core
        // LIFETIME: ends below, with the outbox or its grace.
        let timer = Task.detached {
            try await core.engine.time.sleep(until: core.engine.time.moment + grace.withinACentury)
            core.stop(cancelling: true)
        }
        await core.ended()
        timer.cancel()
    }
}

extension Outbox: MaskedReflectable {
    public var description: String { "outbox" }
}
