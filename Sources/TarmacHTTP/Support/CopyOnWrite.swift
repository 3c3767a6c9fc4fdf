/// A value behind one reference. Copies share the value until one of them is changed.
package struct CopyOnWrite<Value: Sendable>: Sendable {
    // SAFETY: written only through a reference that is the only one.
    private final class Storage: @unchecked Sendable {
        // SAFETY: it is changed only through a unique reference, in a variable that is itself subject to
        // exclusive access. A class would check exclusivity once more with each read, about forty times in a
        // call.
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
