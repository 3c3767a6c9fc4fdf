/// Values by their keys, in the order of their last use. An operation takes the same time at any size.
struct RecencyTable<Key: Hashable, Value> {
    private struct Slot {
        var content: (key: Key, value: Value)?
        /// The places of the neighbors: the one used later, and the one used before.
        var later: Int
        var earlier: Int
    }
    private static var none: Int { -1 }
    private var slots: [Slot] = []
    private var places: [Key: Int] = [:]
    private var free: [Int] = []
    private var newest = Self.none
    private var oldest = Self.none

    init() {}

    var count: Int { places.count }

    /// The values in the order of their last use, the last used first.
    var values: [Value] {
        var values: [Value] = [], place = newest
        while place != Self.none {
            if let content = slots[place].content { values.append(content.value) }
            place = slots[place].earlier
        }
        return values
    }

    /// Returns the value of a key, and marks it as used. Changes made by `body` are kept. Returns `nil` for a new key.
    mutating func use<Result>(_ key: Key, _ body: (inout Value) -> Result) -> Result? {
        // Comparing with the last used key costs less than hashing.
        if newest != Self.none, slots[newest].content!.key == key { return body(&slots[newest].content!.value) }
        guard let place = places[key] else { return nil }
        unlink(place)
        link(place)
        return body(&slots[place].content!.value)
    }

    /// Adds a value for a new key, as the last used.
    mutating func insert(_ value: Value, for key: Key) {
        let slot = Slot(content: (key, value), later: Self.none, earlier: Self.none)
        let place: Int
        if let known = free.popLast() {
            place = known
            slots[place] = slot
        } else {
            place = slots.count
            slots.append(slot)
        }
        places[key] = place
        link(place)
    }

    /// Removes the value of a key if `isGone` returns `true` for it. Returns the removed value.
    @discardableResult
    mutating func remove(_ key: Key, where isGone: (inout Value) -> Bool = { _ in true }) -> Value? {
        guard let place = places[key], isGone(&slots[place].content!.value) else { return nil }
        return removeSlot(place)
    }

    /// Removes the values that were unused for longest until there are `limit`. A value for which `isGone` returns
    /// `false` stays, and counts as used. At most `chances` of them are asked. Returns the removed values.
    @discardableResult
    mutating func trim(to limit: Int, chances: Int = 8, where isGone: (inout Value) -> Bool = { _ in true }) -> [Value] {
        var chances = chances, removed: [Value] = []
        while count > limit, chances > 0, oldest != Self.none {
            let place = oldest
            if isGone(&slots[place].content!.value) {
                if let value = removeSlot(place) { removed.append(value) }
            } else {
                chances -= 1
                unlink(place)
                link(place)
            }
        }
        return removed
    }

    private mutating func removeSlot(_ place: Int) -> Value? {
        unlink(place)
        let value = slots[place].content?.value
        places[slots[place].content!.key] = nil
        slots[place].content = nil
        free.append(place)
        if slots.count > 256, count < slots.count / 4 { shrink() }
        return value
    }

    /// Gives the memory of removed values back.
    private mutating func shrink() {
        var table = RecencyTable(), place = oldest
        while place != Self.none {
            if let content = slots[place].content { table.insert(content.value, for: content.key) }
            place = slots[place].later
        }
        self = table
    }

    private mutating func link(_ place: Int) {
        slots[place].later = Self.none
        slots[place].earlier = newest
        if newest == Self.none { oldest = place } else { slots[newest].later = place }
        newest = place
    }

    private mutating func unlink(_ place: Int) {
        let (later, earlier) = (slots[place].later, slots[place].earlier)
        if later == Self.none { newest = earlier } else { slots[later].earlier = earlier }
        if earlier == Self.none { oldest = later } else { slots[earlier].later = later }
    }
}
