/// The members of a built object, in order, each key once.
struct MemberList: Sendable {
    /// Up to this many members a search costs less than an index.
    private static let linearLimit = 16

    private(set) var keys: [String] = []
    private(set) var values: [JSON] = []
    private var positions: [ScalarText: Int] = [:]

    var count: Int { keys.count }

    /// Setting a missing value removes the member; the order of the others stays.
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
        keys.count > Self.linearLimit ? positions[ScalarText(key)] : keys.firstIndex { $0.hasSameScalars(as: key) }
    }

    /// Keeps the first of equal keys, as lookups in documents do.
    mutating func appendIfNew(_ key: String, _ value: JSON) {
        if position(of: key) == nil { append(key, value) }
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
        keys.remove(at: position)
        values.remove(at: position)
        rebuildPositions()
    }

    private mutating func rebuildPositions() {
        positions.removeAll(keepingCapacity: true)
        guard keys.count > Self.linearLimit else { return }
        for (position, key) in keys.enumerated() { positions[ScalarText(key)] = position }
    }
}
