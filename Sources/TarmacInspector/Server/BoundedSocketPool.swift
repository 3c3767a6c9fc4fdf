#if Inspector
import FlyingSocks
@_spi(TarmacRooms) import TarmacCore

/// A pool of FlyingSocks that bounds how many connections wait for their peers, and for how long.
///
/// FlyingFox does neither. A connection over a bound is closed.
struct BoundedSocketPool: AsyncSocketPool {
    private let base: any AsyncSocketPool
    private let waiting: WaitingPlaces
    private let longestWait: Duration

    init(_ base: any AsyncSocketPool, most: Int = 64, longestWait: Duration = .seconds(60)) {
        (self.base, waiting, self.longestWait) = (base, WaitingPlaces(most: most), longestWait)
    }

    func prepare() async throws { try await base.prepare() }
    func run() async throws { try await base.run() }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        // The socket that listens has no peer, and waits for as long as it takes.
        guard (try? socket.remotePeer()) != nil else { return try await base.suspendSocket(socket, untilReadyFor: events) }
        guard waiting.enter() else { throw SocketError.disconnected }
        defer { waiting.leave() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await base.suspendSocket(socket, untilReadyFor: events) }
            group.addTask {
                try await Task.sleep(for: longestWait)
                throw SocketError.disconnected
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}

/// The places of connections that wait.
final class WaitingPlaces: Sendable {
    private let most: Int
    private let taken = Locked(0)

    init(most: Int) { self.most = most }

    /// Takes a place. Returns `false` if there is none.
    func enter() -> Bool {
        taken.withLock { taken in
            if taken >= most { return false }
            taken += 1
            return true
        }
    }

    func leave() { taken.withLock { $0 -= 1 } }
}
#endif
