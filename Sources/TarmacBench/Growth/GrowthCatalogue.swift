#if Tools
import HTTPTypes

/// A row of the table: a work and how much dearer a unit may be at its largest size.
struct GrowthRow: Sendable {
    let work: any GrowthWork
    /// The largest ratio of the last cost to the first, or `nil` if the row is only shown.
    let bar: Double?

    static let all: [GrowthRow] =
        GrowthCookies.works.map { GrowthRow(work: $0, bar: 1.5) }
        + GrowthOutboxLanes.Store.allCases.map { GrowthRow(work: GrowthOutboxLanes(store: $0), bar: 1.5) }
        + GrowthJSONLookups.Kind.allCases.map { GrowthRow(work: GrowthJSONLookups(kind: $0), bar: nil) }
        + [
            GrowthRow(work: GrowthJSONDecoding(), bar: nil), GrowthRow(work: GrowthParameters(), bar: 1.5), GrowthRow(work: GrowthChainSteps(), bar: 1.5),
            GrowthRow(work: GrowthVariants(field: .acceptLanguage), bar: 2), GrowthRow(work: GrowthFileCache(), bar: nil),
        ]
}
#endif
