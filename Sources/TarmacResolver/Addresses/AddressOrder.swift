/// The order in which the addresses of a host are tried (RFC 8305 §4; pure).
package enum AddressOrder {
    /// The maximum number of addresses that are tried.
    package static let limit = 16

    /// Returns the addresses, those of both versions in turn and IPv6 first.
    ///
    /// - Parameters:
    ///   - first: the address that worked last.
    ///   - avoided: addresses that failed since. They come last.
    package static func sorted(_ addresses: [HostAddress], first: HostAddress? = nil, avoided: Set<HostAddress> = []) -> [HostAddress] {
        let known = unique(addresses)
        let good = inTurn(known.filter { $0 != first && !avoided.contains($0) }), bad = inTurn(known.filter { $0 != first && avoided.contains($0) })
        let head = known.filter { $0 == first }
        return Array((head + good + bad).prefix(limit))
    }

    private static func unique(_ addresses: [HostAddress]) -> [HostAddress] {
        var seen: Set<HostAddress> = []
        return addresses.filter { seen.insert($0).inserted }
    }

    private static func inTurn(_ addresses: [HostAddress]) -> [HostAddress] {
        let new = addresses.filter(\.isIPv6), old = addresses.filter { !$0.isIPv6 }
        var result: [HostAddress] = []
        for index in 0..<max(new.count, old.count) {
            if index < new.count { result.append(new[index]) }
            if index < old.count { result.append(old[index]) }
        }
        return result
    }
}
