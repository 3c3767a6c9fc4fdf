#if Inspector
@_spi(TarmacRooms) import TarmacCore

/// The port of the server, which is known once it listens. Until then no `Host` field is right.
final class ChosenPort: Sendable {
    private let port = Locked(-1)

    var value: Int { port.withLock { $0 } }
    func set(_ value: Int) { port.withLock { $0 = value } }
}
#endif
