public import TarmacCore

extension Landing {
    /// An answer judged as for this value, and reformed in its stead.
    public func reformed<Reforming: Reformer>(by reformer: Reforming) -> Landing<Reforming.Value> {
        var landing = reformed(by: reformer, needsJSON: reformer.needsJSON)
        if choose != nil || reformer is any SelectingReformer {
            landing.choose = { of($0).reformed(by: reformer, needsJSON: reformer.needsJSON(for: $0)) }
        }
        return landing
    }

    private func reformed<Reforming: Reformer>(by reformer: Reforming, needsJSON isWanted: Bool) -> Landing<Reforming.Value> {
        let isJSON = isWanted && !needsJSON
        return Landing<Reforming.Value>(
            needsJSON: needsJSON || isJSON, accepts: isJSON ? .json : accepts, ignoresBody: ignoresBody && !isJSON
        ) { try reformer.value(of: $0) }
    }
}

extension Landing {
    /// As what a reformer makes of the answer: for an endpoint that always reforms.
    ///
    /// ```swift
    /// var landing: Landing<[Cell]> { .reformed(by: ProductCells()) }
    /// ```
    /// The answer has to be JSON if the reformer says so, and may be anything otherwise.
    public static func reformed<Reforming: Reformer>(by reformer: Reforming) -> Landing<Reforming.Value> where Value == Reforming.Value {
        var landing = Landing<Reforming.Value>(needsJSON: reformer.needsJSON) { try reformer.value(of: $0) }
        if reformer is any SelectingReformer {
            landing.choose = { Landing<Reforming.Value>(needsJSON: reformer.needsJSON(for: $0)) { try reformer.value(of: $0) } }
        }
        return landing
    }
}
