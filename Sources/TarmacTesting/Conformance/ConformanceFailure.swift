/// A transport does not do what its cases ask for.
public struct ConformanceFailure: Error, CustomStringConvertible, Sendable {
    /// The case that failed.
    public let name: String
    /// What was expected, and what came instead.
    public let reason: String
    /// What the servers of the case saw.
    public let details: String

    public var description: String { details.isEmpty ? "\(name): \(reason)" : "\(name): \(reason) [\(details)]" }
}

/// An expectation inside a case; the run adds the case's name and what the servers saw.
struct Unmet: Error {
    let reason: String
}

/// Throws when the claim does not hold.
func require(_ claim: Bool, _ otherwise: @autoclosure () -> String) throws {
    if !claim { throw Unmet(reason: otherwise()) }
}

/// Throws when the two differ.
func requireEqual<Value: Equatable>(_ actual: Value, _ expected: Value, _ what: @autoclosure () -> String) throws {
    if actual != expected { throw Unmet(reason: "\(what()) is \(actual) instead of \(expected)") }
}
