/// The origin of a missing value, so that an error can name its place: the last existing value, and the first step
/// without a value.
final class MissingValue: Sendable {
    let origin: JSON
    let step: JSONPath.Component

    init(origin: JSON, step: JSONPath.Component) {
        self.origin = origin
        self.step = step
    }

    /// The first path without a value.
    var path: JSONPath { origin.path.appending([step]) }
}
