/// The indexes that look-ups in one document made, by the place of the container on the tape.
struct Lookups {
    /// The number of children up to which a container is searched without an index.
    static let walkedChildren = 32
    /// The number of members that look-ups walk past in any object before it gets an index. To index a member costs as
    /// much as to walk past 40.
    static let walkedMembers = 1024
    /// The memory of an entry of a dictionary in bytes, about.
    private static let entrySize = 64

    private var places: [Int: PlaceIndex] = [:]
    private var names: [Int: NameIndex] = [:]
    private var walks: [Int: Int] = [:]
    private var counts: [Int: Int] = [:]
    /// The memory of the indexes in bytes.
    private(set) var byteCount = 0

    /// How a search for a name continues.
    enum NameSearch {
        case inIndex(NameIndex)
        /// By a walk past at most this number of members.
        case byWalking(Int)
    }

    // MARK: Names

    /// - Parameter members: About the number of members. One look-up alone walks past as many, and makes no index.
    func search(of object: Int, members: Int) -> NameSearch {
        if let index = names[object] { return .inIndex(index) }
        return .byWalking(max(members, Self.walkedMembers) - (walks.isEmpty ? 0 : walks[object] ?? 0))
    }

    func names(of object: Int) -> NameIndex? { names[object] }

    /// Adds to the members that look-ups walked past in an object.
    mutating func noteWalk(of object: Int, past members: Int) {
        guard members > Self.walkedChildren else { return }
        if walks[object] == nil { byteCount += Self.entrySize }
        walks[object, default: 0] += members
    }

    /// Keeps an index unless the memory would exceed `limit`. Returns the index to use, which another thread may have
    /// made at the same time.
    mutating func keep(_ index: NameIndex, of object: Int, limit: Int) -> NameIndex {
        if let present = names[object] { return present }
        guard index.byteCount + Self.entrySize <= limit - byteCount else {
            // From now on the object is walked through.
            walks[object] = .min / 2
            return index
        }
        byteCount += index.byteCount + Self.entrySize
        names[object] = index
        return index
    }

    // MARK: Places

    func places(of array: Int) -> PlaceIndex? { places[array] }

    /// Keeps an index that reaches further than the present one, unless the memory would exceed `limit`.
    mutating func keep(_ index: PlaceIndex, of array: Int, limit: Int) {
        let present = places[array]
        guard index.count > present?.count ?? 0 else { return }
        let growth = index.byteCount - (present?.byteCount ?? -Self.entrySize)
        guard growth <= limit - byteCount else { return }
        byteCount += growth
        places[array] = index
    }

    // MARK: Counts

    func count(of container: Int) -> Int? { counts[container] }

    mutating func keep(count: Int, of container: Int) {
        if counts.updateValue(count, forKey: container) == nil { byteCount += Self.entrySize }
    }
}
