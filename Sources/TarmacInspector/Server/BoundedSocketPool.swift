#if Inspector
import FlyingSocks
@_spi(TarmacRooms) import TarmacCore

/// A pool of FlyingSocks that bounds how many connections wait for their peers, and for how long.
///
/// FlyingFox does neither. A connection over a bound takes the place of the one of its machine that has waited longest for a request, or
/// is closed if there is none.
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
        let (turns, turn) = AsyncStream<Void>.makeStream()
        let giveWay: @Sendable () -> Void = { turn.finish() }
        // One that takes an answer is in use.
        guard let place = waiting.enter(machine, givingWay: events.contains(.write) ? nil : giveWay) else { throw SocketError.disconnected }
        defer { waiting.leave(machine, place) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await base.suspendSocket(socket, untilReadyFor: events) }
            group.addTask {
                try await Task.sleep(for: longestWait)
                throw SocketError.disconnected
            }
            group.addTask {
                for await _ in turns {}
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
    private let taken = Locked([String: [Place]]())
    private let number = Locked(0)

    private struct Place {
        let number: Int
        let giveWay: (@Sendable () -> Void)?
    }

    /// - Parameter mostOfOne: a browser takes six connections to a host.
    init(most: Int, mostOfOne: Int) { (self.most, self.mostOfOne) = (most, mostOfOne) }

    /// Takes a place for a machine, if necessary that of its connection that has waited longest of those which give way. Returns `nil` if
    /// there is none.
    ///
    /// - Parameter giveWay: ends the connection. `nil` if it does not give way.
    func enter(_ machine: String, givingWay giveWay: (@Sendable () -> Void)?) -> Int? {
        let own = number.withLock { number in
            number += 1
            return number
        }
        let (isIn, oldest): (Bool, Place?) = taken.withLock { taken in
            var places = taken[machine] ?? []
            let isFull = places.count >= mostOfOne || taken.values.reduce(0) { $0 + $1.count } >= most
            var oldest: Place?
            if isFull {
                guard let place = places.firstIndex(where: { $0.giveWay != nil }) else { return (false, nil) }
                oldest = places.remove(at: place)
            }
            taken[machine] = places + [Place(number: own, giveWay: giveWay)]
            return (true, oldest)
        }
        oldest?.giveWay?()
        return isIn ? own : nil
    }

    func leave(_ machine: String, _ number: Int) {
        taken.withLock { taken in
            let rest = taken[machine]?.filter { $0.number != number } ?? []
            taken[machine] = rest.isEmpty ? nil : rest
        }
    }
}
#endif
