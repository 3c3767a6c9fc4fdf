@_spi(TarmacRooms) public import TarmacCore

/// The values of the steps of a chain so far.
public struct ChainResults: Sendable {
    private struct Entry: Sendable {
        let type: ObjectIdentifier
        let value: any Sendable
    }
    private var entries: [Entry] = []
    /// The value that the next step is made from.
    private(set) var last: any Sendable

    init(first: any Sendable) { last = first }

    /// The number of values.
    public var count: Int { entries.count }

    /// The value of a work of this type, such as an endpoint. If there are several, the latest.
    ///
    /// - Throws: `TarmacError(.invalidGroup)` if no earlier step is such a work.
    public subscript<W: Work>(work: W.Type) -> W.Value {
        get throws {
            guard let entry = entries.last(where: { $0.type == ObjectIdentifier(W.self) }) else {
                throw TarmacError(
                    .invalidGroup, "no step so far was \(W.workName)", suggestion: "ask for an endpoint that stands earlier in the chain")
            }
            return Self.cast(entry.value, to: W.Value.self)
        }
    }

    /// Returns the values of all works of this type, in order.
    public func all<W: Work>(_ work: W.Type) -> [W.Value] {
        entries.filter { $0.type == ObjectIdentifier(W.self) }.map { Self.cast($0.value, to: W.Value.self) }
    }

    mutating func append(_ value: any Sendable, of type: ObjectIdentifier) {
        entries.append(Entry(type: type, value: value))
        last = value
    }

    /// Starts the steps of another chain, which may have no step that provides a value.
    mutating func start(with first: any Sendable) { last = first }

    func last<Value>(as type: Value.Type) -> Value { Self.cast(last, to: type) }

    /// Returns a value in its type. The types of a chain's steps match by construction.
    static func cast<Value>(_ value: any Sendable, to type: Value.Type) -> Value {
        guard let value = value as? Value else { preconditionFailure("a step landed as \(Swift.type(of: value)), not as \(type)") }
        return value
    }
}

extension ChainResults: MaskedReflectable {
    /// The number of values, never a value, because it may contain secrets.
    public var description: String { "\(count) results" }
}
