#if NIO
import NIOCore
import NIOPosix
@_spi(TarmacRooms) import TarmacCore
import TarmacResolver

/// Finds the first address of a host that answers, beside a connection to the first of them that takes long (RFC 8305 §5).
///
/// AsyncHTTPClient connects to one address. So the race opens connections of its own that carry nothing, one after another, and tells
/// the first that is there. The first address takes part with a head start: on a slow network it wins, and its connection goes on.
/// All requests that wait for the host join one race, which ends when the last has left.
final class AddressRace: Sendable {
    /// A request of the race.
    struct Runner: Sendable {
        /// Receives the address that answers first.
        let won: @Sendable (HostAddress) -> Void
        /// Whether it has no connection yet.
        let isWaiting: @Sendable () -> Bool
    }

    private struct State {
        var runners: [Int: Runner] = [:]
        var number = 0
        var next = 0
        var running: [any Channel] = []
        var timer: Scheduled<Void>?
        var isOver = false
    }

    /// The time that a connection has before the race begins, and that between two addresses.
    private static let start = TimeAmount.milliseconds(150), between = TimeAmount.milliseconds(250)
    private static let limit = TimeAmount.seconds(10)

    let addresses: [HostAddress]
    private let port: Int
    private let localAddress: String?
    private let ended: @Sendable (AddressRace) -> Void
    private let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
    private let state = Locked(State())

    init(_ addresses: [HostAddress], port: Int, localAddress: String?, ended: @escaping @Sendable (AddressRace) -> Void) {
        (self.addresses, self.port, self.localAddress, self.ended) = (addresses, port, localAddress, ended)
    }

    /// Adds a request. Returns `nil` if the race is over.
    func join(_ runner: Runner) -> Int? {
        let number = state.withLock { state -> Int? in
            guard !state.isOver else { return nil }
            state.number += 1
            state.runners[state.number] = runner
            return state.number
        }
        if number == 1 { schedule(in: Self.start) { self.connect() } }
        return number
    }

    /// Removes a request. The race ends with the last.
    func leave(_ number: Int) {
        let (isLast, _) = state.withLock { state in
            let runner = state.runners.removeValue(forKey: number)
            return (state.runners.isEmpty && !state.isOver, runner)
        }
        if isLast { end() }
    }

    private func end() {
        let (timer, channels, _) = state.withLock { state in
            state.isOver = true
            defer { (state.timer, state.running, state.runners) = (nil, [], [:]) }
            return (state.timer, state.running, state.runners)
        }
        timer?.cancel()
        for channel in channels { channel.close(promise: nil) }
        ended(self)
    }

    private func schedule(in time: TimeAmount, _ work: @escaping @Sendable () -> Void) {
        let timer = eventLoop.scheduleTask(in: time, work)
        let (isOver, replaced) = state.withLock { state in
            defer { if !state.isOver { state.timer = timer } }
            return (state.isOver, state.timer)
        }
        replaced?.cancel()
        if isOver { timer.cancel() }
    }

    private func connect() {
        // A request that has its connection stays until its response, and needs no race.
        guard state.withLock({ Array($0.runners.values) }).contains(where: { $0.isWaiting() }) else { return end() }
        let index = state.withLock { state -> Int? in
            guard !state.isOver, state.next < addresses.count else { return nil }
            defer { state.next += 1 }
            return state.next
        }
        guard let index else { return }
        let address = addresses[index]
        // The first address begins before its turn, which comes at the time of the second one.
        schedule(in: index == 0 ? Self.between - Self.start : Self.between) { self.connect() }
        dial(address).whenComplete { result in
            if case .failure = result { self.connect() } else { self.won(address) }
        }
    }

    private func won(_ address: HostAddress) {
        let runners = state.withLock { state -> [Int: Runner] in
            if state.isOver { return [:] }
            state.isOver = true
            return state.runners
        }
        for runner in runners.values { runner.won(address) }
        end()
    }

    private func dial(_ address: HostAddress) -> EventLoopFuture<Void> {
        do {
            var bootstrap = ClientBootstrap(group: eventLoop).connectTimeout(Self.limit).channelInitializer { channel in
                let isOver = self.state.withLock { state in
                    if !state.isOver { state.running.append(channel) }
                    return state.isOver
                }
                return isOver ? channel.eventLoop.makeFailedFuture(ChannelError.alreadyClosed) : channel.eventLoop.makeSucceededVoidFuture()
            }
            if let localAddress { bootstrap = bootstrap.bind(to: try SocketAddress(ipAddress: localAddress, port: 0)) }
            return bootstrap.connect(to: try SocketAddress(ipAddress: address.text, port: port)).map { channel in channel.close(promise: nil) }
        } catch {
            return eventLoop.makeFailedFuture(error)
        }
    }
}
#endif
