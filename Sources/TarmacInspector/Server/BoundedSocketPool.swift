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
    private let state = Locked(State())

    private struct State {
        var taken: [String: [Place]] = [:]
        var lastNumber = 0
    }
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
        let (number, oldest): (Int?, Place?) = state.withLock { state in
            var places = state.taken[machine] ?? []
            var oldest: Place?
            if places.count >= mostOfOne || state.taken.values.reduce(0, { $0 + $1.count }) >= most {
                guard let place = places.firstIndex(where: { $0.giveWay != nil }) else { return (nil, nil) }
                oldest = places.remove(at: place)
            }
            state.lastNumber += 1
            state.taken[machine] = places + [Place(number: state.lastNumber, giveWay: giveWay)]
            return (state.lastNumber, oldest)
        }
        oldest?.giveWay?()
        return number
    }

    func leave(_ machine: String, _ number: Int) {
        state.withLock { state in
            let rest = state.taken[machine]?.filter { $0.number != number } ?? []
            state.taken[machine] = rest.isEmpty ? nil : rest
        }
    }
}
#endif
