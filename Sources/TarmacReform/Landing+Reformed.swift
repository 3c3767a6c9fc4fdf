public import TarmacCore

extension Landing {
    /// Returns a landing that judges the response as for this value and delivers the reformed value instead.
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
    /// Returns a landing with the value that a reformer makes of the response, for an endpoint that always uses one.
    ///
    /// ```swift
    /// var landing: Landing<[Cell]> { .reformed(by: ProductCells()) }
    /// ```
    /// The response must be JSON if the reformer needs it, and may have any type otherwise.
    public static func reformed<Reforming: Reformer>(by reformer: Reforming) -> Landing<Reforming.Value> where Value == Reforming.Value {
        var landing = Landing<Reforming.Value>(needsJSON: reformer.needsJSON) { try reformer.value(of: $0) }
        if reformer is any SelectingReformer {
            landing.choose = { Landing<Reforming.Value>(needsJSON: reformer.needsJSON(for: $0)) { try reformer.value(of: $0) } }
        }
        return landing
    }
}
