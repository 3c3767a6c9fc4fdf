/// What a missing value remembers, so that an error can name the place: the last value that was there
/// and the steps that led nowhere.
final class MissingValue: Sendable {
    let origin: JSON
    let steps: [JSONPath.Component]

    init(origin: JSON, steps: [JSONPath.Component]) {
        self.origin = origin
        self.steps = steps
    }

    /// The first path at which nothing stands.
    var path: JSONPath { origin.path.appending(Array(steps.prefix(1))) }
}
