#if NIO
import NIOCore
@_spi(TarmacRooms) import TarmacCore
import TarmacResolver

/// The addresses of hosts, for a transport whose resolver is not the system's.
final class HostAddresses: Sendable {
    private let lookup: NameLookup
    private let localAddress: String?
    private let choices = Locked(AddressChoices())
    private let races = Locked([AddressChoices.Place: AddressRace]())

    /// Returns `nil` if connections find the addresses by themselves, one after another as RFC 8305 says.
    init?(_ settings: ConnectionSettings, group: any EventLoopGroup) throws(TarmacError) {
        if settings.resolver == .system { return nil }
        localAddress = settings.localAddress
        do {
            lookup = try NameLookup(settings) { try AsyncHTTPClientTransport($0, group: group) }
        } catch {
            throw error as? TarmacError ?? TarmacError(.invalidOption, "resolver: it cannot be used", cause: error)
        }
    }

    /// Returns the way to the addresses of a host, or `nil` if the route needs none.
    func path(to url: HTTPURL, on route: ConnectionRoute, for exchange: Exchange) async throws -> AddressPath? {
        guard route.kind == .direct, !url.host.hasPrefix("[") else { return nil }
        let name = url.host.hasSuffix(".") ? String(url.host.dropLast()) : url.host
        guard !LocalName.isLoopback(name), HostAddress(name) == nil else { return nil }
        let addresses = try await lookup.addresses(of: name, for: exchange)
        if let reason = exchange.abortReason { throw reason.error }
        let place = AddressChoices.Place(name, Int(url.origin.port))
        return AddressPath(self, place, order: choices.withLock { $0.order(addresses, at: place) })
    }

    fileprivate func note(_ verdict: AddressVerdict, _ address: HostAddress, at place: AddressChoices.Place) {
        choices.withLock { choices in
            switch verdict {
            case .works: choices.succeeded(address, at: place)
            case .fails: choices.failed(address, at: place)
            case .unknown: break
            }
        }
    }

    /// Whether a resolver is still asked for the addresses of a host.
    fileprivate func isAsked(_ place: AddressChoices.Place) -> Bool { lookup.isAsked(place.name) }

    /// Returns the addresses that a resolver knows besides the given ones, after it has answered in whole.
    fileprivate func others(at place: AddressChoices.Place, than known: [HostAddress], for exchange: Exchange?) async -> [HostAddress] {
        guard let others = try? await lookup.others(of: place.name, than: known, for: exchange) else { return [] }
        return choices.withLock { $0.order(others, at: place) }
    }

    /// Joins the race between the addresses of a host, one for all requests that wait. Returns a closure that leaves it.
    fileprivate func race(at place: AddressChoices.Place, to addresses: [HostAddress], _ runner: AddressRace.Runner) -> (() -> Void)? {
        guard addresses.count > 1 else { return nil }
        let new = AddressRace(addresses, port: place.port, localAddress: localAddress) { [weak self] race in
            self?.races.withLock { $0[place] === race ? $0.removeValue(forKey: place) : nil }
        }
        let (known, _) = races.withLock { races -> (AddressRace, replaced: AddressRace?) in
            if let known = races[place], known.addresses == addresses { return (known, nil) }
            return (new, races.updateValue(new, forKey: place))
        }
        if let number = known.join(runner) { return { known.leave(number) } }
        // It ended at this moment.
        return new.join(runner).map { number in { new.leave(number) } }
    }

    func shutdown() async { await lookup.shutdown() }
}

/// The addresses to which a request may go. Each is tried once.
struct AddressPath {
    private let hosts: HostAddresses
    private let place: AddressChoices.Place
    private var rest: [HostAddress]
    /// The addresses that were tried, or are in ``rest``.
    private var known: [HostAddress]
    /// Whether the resolver may know others.
    private var mayHaveOthers = true
    private(set) var current: HostAddress

    fileprivate init?(_ hosts: HostAddresses, _ place: AddressChoices.Place, order: [HostAddress]) {
        guard let first = order.first else { return nil }
        (self.hosts, self.place, known) = (hosts, place, order)
        (current, rest) = (first, Array(order.dropFirst()))
    }

    /// Sends the request to the current address. While there is no connection, the others are tried beside it.
    func run(_ wire: WireExchange, on peer: PeerConnections) async throws -> Response {
        let runner = AddressRace.Runner { [current] address in
            if address != current { wire.leave(for: BetterAddress(address: address)) }
        } isWaiting: {
            wire.hasNotConnected && !wire.isEnded
        }
        let isNew = !peer.hasConnection
        let leave = isNew ? hosts.race(at: place, to: [current] + rest, runner) : nil
        // LIFETIME: ends with the request, which cancels it.
        let late = isNew && hosts.isAsked(place) ? Task { await runLater(runner) } : nil
        defer {
            leave?()
            late?.cancel()
        }
        let response = try await wire.run()
        hosts.note(.works, current, at: place)
        return response
    }

    /// Lets the addresses take part that a resolver gives after the request has begun.
    private func runLater(_ runner: AddressRace.Runner) async {
        let others = await hosts.others(at: place, than: known, for: nil)
        guard !others.isEmpty, !Task.isCancelled, runner.isWaiting() else { return }
        let leave = hosts.race(at: place, to: [current] + rest + others, runner)
        _ = try? await Settlement<Void>().value()
        leave?()
    }

    /// Turns to another address after a failure. Returns `false` if the request was with the server, or no address is left.
    mutating func turn(after error: any Error, of wire: WireExchange, _ exchange: Exchange) async -> Bool {
        let code = (error as? TarmacError)?.code, stage = wire.stage, better = wire.betterAddress
        let verdict = AddressVerdict.of(code, hasConnected: stage.isAttached, isReused: stage.mayBeStale, hasHead: stage.hasHead)
        hosts.note(better == nil ? verdict : .fails, current, at: place)
        guard !stage.isAttached, better != nil || code.map(AddressVerdict.unreachable.contains) == true else { return false }
        if better == nil, rest.isEmpty, mayHaveOthers, exchange.abortReason == nil {
            mayHaveOthers = false
            rest = await hosts.others(at: place, than: known, for: exchange)
            known += rest
        }
        guard exchange.abortReason == nil, let next = better ?? rest.first else { return false }
        if !known.contains(next) { known.append(next) }
        rest.removeAll { $0 == next }
        current = next
        return true
    }
}

/// The reason why an exchange leaves an address: another one answers.
struct BetterAddress: Error {
    let address: HostAddress
}
#endif
