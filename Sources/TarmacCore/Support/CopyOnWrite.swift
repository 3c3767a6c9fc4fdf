/// A value behind one reference: copies share it until one of them is changed.
package struct CopyOnWrite<Value: Sendable>: Sendable {
    // SAFETY: written only through a reference that is the only one.
    private final class Storage: @unchecked Sendable {
        // SAFETY: it is changed only through the one reference there is, in a variable that is itself under the rule of
        // exclusive access. A class checks the rule once more with each read, some forty times in a call.
        @exclusivity(unchecked) var value: Value
        init(_ value: Value) { self.value = value }
    }
    private var storage: Storage

    package init(_ value: Value) { storage = Storage(value) }

    package var value: Value {
        _read { yield storage.value }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }
}

extension CopyOnWrite: Equatable where Value: Equatable {
    package static func == (one: Self, other: Self) -> Bool { one.storage === other.storage || one.value == other.value }
}
