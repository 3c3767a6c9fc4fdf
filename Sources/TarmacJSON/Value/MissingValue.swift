/// What a missing value remembers, so that an error can name the place: the last value that was there
/// and the first step that led nowhere.
final class MissingValue: Sendable {
    let origin: JSON
    let step: JSONPath.Component

    init(origin: JSON, step: JSONPath.Component) {
        self.origin = origin
        self.step = step
    }

    /// The first path at which nothing stands.
    var path: JSONPath { origin.path.appending([step]) }
}
