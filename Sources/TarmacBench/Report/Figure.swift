#if Tools
/// A measured value and its target.
struct Figure: Codable {
    var name: String
    var value: Double
    var unit: String
    /// None where a figure only explains others.
    var bar: Bar?

    enum Bar: Codable {
        case atMost(Double)
        case atLeast(Double)
    }

    var holds: Bool {
        switch bar {
        case .atMost(let limit): value <= limit
        case .atLeast(let limit): value >= limit
        case nil: true
        }
    }

    var shown: String {
        let figure = value >= 1_000 ? "\(Int(value))" : value.shown
        let must =
            switch bar {
            case .atMost(let limit): "at most \(limit.formatted): \(holds ? "pass" : "FAIL")"
            case .atLeast(let limit): "at least \(limit.formatted): \(holds ? "pass" : "FAIL")"
            case nil: ""
            }
        return "\(holds ? "  " : "! ")\(name): \(figure) \(unit)  \(must)"
    }
}

extension Double {
    fileprivate var formatted: String { self == rounded() ? "\(Int(self))" : shown }
}
#endif
