/// Which addresses of hosts work (pure).
///
/// A host stays at its address while it works and answers name it, so that connections are used again.
package struct AddressChoices: Sendable {
    /// A host and a port.
    package struct Place: Hashable, Sendable {
        package let name: String
        package let port: Int
        package init(_ name: String, _ port: Int) { (self.name, self.port) = (name, port) }
    }

    private struct Choice {
        var current: HostAddress?
        var failed: Set<HostAddress> = []
    }

    package static let limit = 256
    private var choices: [Place: Choice] = [:]

    package init() {}

    package var count: Int { choices.count }

    /// Returns addresses in the order to try them.
    package func order(_ addresses: [HostAddress], at place: Place) -> [HostAddress] {
        let choice = choices[place]
        return AddressOrder.sorted(addresses, first: choice?.current, avoided: choice?.failed ?? [])
    }

    /// Notes that an address works.
    package mutating func succeeded(_ address: HostAddress, at place: Place) {
        if choices[place]?.current == address, choices[place]?.failed.contains(address) == false { return }
        makeRoom(for: place)
        choices[place, default: Choice()].current = address
        choices[place]?.failed.remove(address)
    }

    /// Notes that there was no connection to an address.
    package mutating func failed(_ address: HostAddress, at place: Place) {
        makeRoom(for: place)
        var choice = choices[place] ?? Choice()
        if choice.current == address { choice.current = nil }
        // The addresses of a host change, and old ones are not named again.
        if choice.failed.count >= AddressOrder.limit { choice.failed = [] }
        choice.failed.insert(address)
        choices[place] = choice
    }

    /// A host that is forgotten is tried again.
    private mutating func makeRoom(for place: Place) {
        if choices[place] == nil, choices.count >= Self.limit { choices = [:] }
    }
}
