#if Tools
import HTTPTypes

/// A row of the table: a work and how much dearer a unit may be at its largest size.
struct GrowthRow: Sendable {
    let work: any GrowthWork
    /// The largest ratio of the last cost to the first, or `nil` if the row is only shown.
    let bar: Double?
    /// The most that the last cost may be.
    var last: Double?
    /// Why the row may miss its bar: what the rest is, and what was tried.
    var why: String?

    static let all: [GrowthRow] =
        GrowthCalls.rows + GrowthGroups.rows + GrowthStores.rows + GrowthVariants.rows
        + [GrowthRow(work: GrowthFileCache(), bar: nil, last: 3_000)]
        + GrowthCookies.rows + GrowthOutboxLanes.Store.allCases.map { GrowthRow(work: GrowthOutboxLanes(store: $0), bar: 1.5) }
        + GrowthPlaces.rows + GrowthMessages.rows
        + GrowthJSONLookups.Kind.allCases.map { GrowthRow(work: GrowthJSONLookups(kind: $0), bar: nil, last: 300) }
        + [
            GrowthRow(work: GrowthJSONDecoding(), bar: 1.5),
            GrowthRow(
                work: GrowthParameters(), bar: 1.5,
                why: "A list of ten keeps no table of names. A long one hashes each name once, and its array and its table grow in steps; "
                    + "looking each name up twice gave 1.59."),
            GrowthRow(work: GrowthChainSteps(), bar: 1.5),
        ]
}
#endif
