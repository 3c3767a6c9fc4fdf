@_spi(TarmacRooms) package import TarmacCore

/// Learns how many entries outboxes have.
package protocol OutboxObserver: AnyObject, Sendable {
    /// Called after changes, one call at a time for each outbox, and without a lock.
    ///
    /// - Parameter entries: the entries of the outbox's store; `nil` when the outbox has ended.
    func outbox(_ outbox: ObjectIdentifier, has entries: OutboxCount?)
}

/// The entries of an outbox by their states.
package struct OutboxCount: Sendable, Equatable {
    package var waiting: Int
    package var inFlight: Int
    package var dead: Int
    /// The time since the oldest entry was stored that waits or is in flight; zero without one.
    package var oldestAge: Duration

    package init(waiting: Int, inFlight: Int, dead: Int, oldestAge: Duration) {
        (self.waiting, self.inFlight, self.dead, self.oldestAge) = (waiting, inFlight, dead, oldestAge)
    }
}

extension Settings {
    /// The part of the setting `telemetry` that the room Outbox reads.
    package static let outboxObserver = Setting<(any OutboxObserver)?>("telemetryOfOutboxes", default: nil) {
        $0.describe = { $0 == nil ? "off" : "metrics" }
        // No stage reads it, and an interceptor of the app cannot.
        $0.stages = { _, _ in [] }
    }
}

extension ClientScope {
    /// The observer that the client sets, or else one of its services.
    package var outboxObserver: (any OutboxObserver)? { layers.lazy.compactMap { $0[Settings.outboxObserver] ?? nil }.first }
}
