@_spi(TarmacRooms) import TarmacCore

/// The records of a key with many variants, as they are between two changes, with their index.
final class VariantList: Sendable {
    let records: [CacheRecord]
    private let state = Locked<(lookups: Int, index: VariantIndex?)>((0, nil))
    /// The number of records from which on a list is kept.
    static let minimum = 8

    init(_ records: [CacheRecord]) { self.records = records }

    /// Returns the index. It is made at the second lookup: a list that changes before each lookup is only read.
    func index(_ make: ([CacheRecord]) -> VariantIndex) -> VariantIndex? {
        let (isFirst, known) = state.withLock { state -> (Bool, VariantIndex?) in
            state.lookups += 1
            return (state.lookups == 1, state.index)
        }
        if isFirst || known != nil { return known }
        let made = make(records)
        state.withLock { $0.index = made }
        return made
    }
}
