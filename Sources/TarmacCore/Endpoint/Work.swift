/// A description of something that a client can do, which names the type of its result.
///
/// ``Endpoint`` is a protocol of its own below this one, so that the compiler asks for a missing `typealias Value` by
/// that name: a type cannot be inferred here from the ways in which an endpoint lands.
public protocol Work: Sendable {
    /// The type of the result.
    associatedtype Value: Sendable
}
