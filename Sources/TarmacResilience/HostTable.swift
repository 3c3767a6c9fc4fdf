public import TarmacCore

/// A value for each host that a service has asked recently. A new host replaces the one that was asked longest ago.
///
/// Generic, and on the path of a call of another room, so public to rooms and inlinable (0168).
@_spi(TarmacRooms) public struct HostTable<Value> {
    @usableFromInline var origins: [WebOrigin] = []
    @usableFromInline var values: [Value] = []
    /// The hash of each host. With so few, comparing numbers is faster than a dictionary, which hashes for each change.
    @usableFromInline var hashes: [Int] = []
    /// The number of the last use of each host.
    @usableFromInline var uses: [Int] = []
    @usableFromInline var lastUse = 0
    /// The place of the host that was asked last.
    @usableFromInline var latest = 0
    /// The numbers compared so far, for tests of growth.
    @usableFromInline var looks = 0
    @usableFromInline let limit: Int
    /// The most hosts of a table. With more, a walk over their hashes would cost more than a dictionary.
    @inlinable static var most: Int { 32 }

    /// - Parameter limit: the maximum number of hosts, at most ``most``. A service has few, but redirects can lead anywhere.
    @inlinable public init(limit: Int = 32) { self.limit = min(max(limit, 1), Self.most) }

    @inlinable var count: Int { origins.count }

    /// Whether the value of any host satisfies `predicate`.
    @inlinable func contains(where predicate: (Value) -> Bool) -> Bool { values.contains(where: predicate) }

    /// Changes the value of a host, which is `initial` for a new host.
    @inlinable
    public mutating func withValue<Result>(of origin: WebOrigin, initial: @autoclosure () -> Value, _ body: (inout Value) -> Result) -> Result {
        looks += 1
        // Nearly always the latest: a service mostly asks one host, and comparing costs less than hashing.
        if origins.isEmpty || origins[latest] != origin {
            let hash = origin.hashValue
            latest = place(of: origin, hash) ?? add(origin, hash, initial())
            lastUse += 1
            uses[latest] = lastUse
        }
        return body(&values[latest])
    }

    @inlinable
    mutating func place(of origin: WebOrigin, _ hash: Int) -> Int? {
        for place in hashes.indices {
            looks += 1
            if hashes[place] == hash, origins[place] == origin { return place }
        }
        return nil
    }

    /// Adds a host, and returns its place.
    @inlinable
    mutating func add(_ origin: WebOrigin, _ hash: Int, _ value: Value) -> Int {
        if count < limit {
            origins.append(origin)
            values.append(value)
            hashes.append(hash)
            uses.append(0)
            return count - 1
        }
        var oldest = 0
        for place in uses.indices {
            looks += 1
            if uses[place] < uses[oldest] { oldest = place }
        }
        (origins[oldest], values[oldest], hashes[oldest]) = (origin, value, hash)
        return oldest
    }
}
