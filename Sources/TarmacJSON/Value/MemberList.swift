/// The members of a built object, in order, with unique keys.
///
/// Adding, replacing and removing a member takes constant time: a removed member leaves its place empty until half of
/// the places are.
struct MemberList: Sendable {
    /// The number of places up to which a search is cheaper than an index.
    private static let linearLimit = 16

    /// The keys by place, including those of removed members.
    private(set) var keys: [String] = []
    private(set) var values: [JSON] = []
    private var positions: [ScalarText: Int] = [:]
    private var removed: Set<Int> = []

    var count: Int { keys.count - removed.count }

    /// The places of the members.
    var places: [Int] { removed.isEmpty ? Array(keys.indices) : keys.indices.filter { !removed.contains($0) } }

    /// Returns the first place from `place` on with a member; `keys.count` if there is none.
    func occupied(from place: Int) -> Int {
        var place = place
        while !removed.isEmpty, removed.contains(place) { place += 1 }
        return place
    }

    /// The value of a key. Setting a missing value removes the member; the order of the others stays.
    subscript(key: String) -> JSON? {
        get { position(of: key).map { values[$0] } }
        set {
            switch (position(of: key), newValue) {
            case (let position?, let value?): values[position] = value
            case (nil, let value?): append(key, value)
            case (let position?, nil): remove(at: position)
            case (nil, nil): break
            }
        }
    }

    func position(of key: String) -> Int? {
        guard keys.count <= Self.linearLimit else { return positions[ScalarText(key)] }
        return keys.indices.first { !removed.contains($0) && keys[$0].hasSameScalars(as: key) }
    }

    /// Appends a member unless its key exists: the first of equal keys counts, as in documents.
    mutating func appendIfNew(_ key: String, _ value: JSON) {
        if position(of: key) == nil { append(key, value) }
    }

    /// Returns the value of `key`, and leaves null in its place, so that the caller has the only reference while it
    /// changes it.
    mutating func take(_ key: String) -> JSON? {
        guard let position = position(of: key) else { return nil }
        let value = values[position]
        values[position] = .null
        return value
    }

    private mutating func append(_ key: String, _ value: JSON) {
        keys.append(key)
        values.append(value)
        if keys.count > Self.linearLimit + 1 {
            positions[ScalarText(key)] = keys.count - 1
        } else if keys.count == Self.linearLimit + 1 {
            rebuildPositions()
        }
    }

    private mutating func remove(at position: Int) {
        if keys.count > Self.linearLimit { positions[ScalarText(keys[position])] = nil }
        values[position] = .null
        removed.insert(position)
        if removed.count > keys.count / 2 { compact() }
    }

    private mutating func compact() {
        let kept = places
        keys = kept.map { keys[$0] }
        values = kept.map { values[$0] }
        removed = []
        rebuildPositions()
    }

    private mutating func rebuildPositions() {
        positions.removeAll(keepingCapacity: true)
        guard keys.count > Self.linearLimit else { return }
        for place in places { positions[ScalarText(keys[place])] = place }
    }
}
