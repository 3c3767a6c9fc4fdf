/// The failure of a conformance case.
public struct ConformanceFailure: Error, CustomStringConvertible, Sendable {
    /// The case that failed.
    public let name: String
    /// The expected and the actual result.
    public let reason: String
    /// The observations of the case's servers.
    public let details: String

    public var description: String { details.isEmpty ? "\(name): \(reason)" : "\(name): \(reason) [\(details)]" }
}

/// A failed expectation inside a case. The run adds the name of the case and the observations of the servers.
struct Unmet: Error {
    let reason: String
}

/// Throws if the claim is false.
func require(_ claim: Bool, _ otherwise: @autoclosure () -> String) throws {
    if !claim { throw Unmet(reason: otherwise()) }
}

/// Throws if the two values differ.
func requireEqual<Value: Equatable>(_ actual: Value, _ expected: Value, _ what: @autoclosure () -> String) throws {
    if actual != expected { throw Unmet(reason: "\(what()) is \(actual) instead of \(expected)") }
}
