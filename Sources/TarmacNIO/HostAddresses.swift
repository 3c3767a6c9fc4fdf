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

    fileprivate func succeeded(_ address: HostAddress, at place: AddressChoices.Place) { choices.withLock { $0.succeeded(address, at: place) } }

    fileprivate func failed(_ address: HostAddress, at place: AddressChoices.Place) { choices.withLock { $0.failed(address, at: place) } }

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
    private(set) var current: HostAddress

    fileprivate init?(_ hosts: HostAddresses, _ place: AddressChoices.Place, order: [HostAddress]) {
        guard let first = order.first else { return nil }
        (self.hosts, self.place) = (hosts, place)
        (current, rest) = (first, Array(order.dropFirst()))
    }

    /// Sends the request to the current address. While there is no connection, the others are tried beside it.
    func run(_ wire: WireExchange, on peer: PeerConnections) async throws -> Response {
        let runner = AddressRace.Runner { [current] address in
            if address != current { wire.leave(for: BetterAddress(address: address)) }
        } isWaiting: {
            wire.hasNotConnected && !wire.isEnded
        }
        let leave = peer.hasConnection ? nil : hosts.race(at: place, to: [current] + rest, runner)
        defer { leave?() }
        let response = try await wire.run()
        hosts.succeeded(current, at: place)
        return response
    }

    /// Turns to another address after a failure. Returns `false` if the request was with the server, or no address is left.
    mutating func turn(after error: any Error, of wire: WireExchange, _ exchange: Exchange) -> Bool {
        guard wire.hasNotConnected else {
            hosts.succeeded(current, at: place)
            return false
        }
        let code = (error as? TarmacError)?.code, isDead = wire.betterAddress != nil || code.map(Self.unreachable.contains) == true
        // The next call begins elsewhere after a failed handshake too. This one does not ask until a server has the certificate.
        if isDead || code?.category == .tls { hosts.failed(current, at: place) }
        guard isDead, exchange.abortReason == nil, let next = wire.betterAddress ?? rest.first else { return false }
        rest.removeAll { $0 == next }
        current = next
        return true
    }

    private static let unreachable: Set<TarmacError.Code> = [.connectionRefused, .connectTimeout, .connectionFailed]
}

/// The reason why an exchange leaves an address: another one answers.
struct BetterAddress: Error {
    let address: HostAddress
}
#endif
