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

    init(_ base: any AsyncSocketPool, longestWait: Duration = .seconds(60)) {
        (self.base, waiting, self.longestWait) = (base, WaitingPlaces(most: 64, mostOfOne: 16), longestWait)
    }

    func prepare() async throws { try await base.prepare() }
    func run() async throws { try await base.run() }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        // The socket that listens has no peer, and waits for as long as it takes.
        guard let peer = try? socket.remotePeer() else { return try await base.suspendSocket(socket, untilReadyFor: events) }
        let machine = Self.machine(peer)
        guard waiting.enter(machine) else { throw SocketError.disconnected }
        defer { waiting.leave(machine) }
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
    /// The address of a peer without its port.
    private static func machine(_ peer: Socket.Address) -> String {
        switch peer {
        case .ip4(let address, _), .ip6(let address, _): address
        case .unix: ""
        }
    }
}

/// The places of connections that wait. Those of one machine leave some to the others, so that a stranger cannot take them all.
final class WaitingPlaces: Sendable {
    private let most, mostOfOne: Int
    private let taken = Locked([String: Int]())

    /// - Parameter mostOfOne: a browser takes six connections to a host.
    init(most: Int, mostOfOne: Int) { (self.most, self.mostOfOne) = (most, mostOfOne) }

    /// Takes a place for a machine. Returns `false` if there is none.
    func enter(_ machine: String) -> Bool {
        taken.withLock { taken in
            let own = taken[machine] ?? 0
            if own >= mostOfOne || taken.values.reduce(0, +) >= most { return false }
            taken[machine] = own + 1
            return true
        }
    }

    func leave(_ machine: String) {
        taken.withLock { taken in
            let rest = (taken[machine] ?? 0) - 1
            taken[machine] = rest > 0 ? rest : nil
        }
    }
}
#endif
