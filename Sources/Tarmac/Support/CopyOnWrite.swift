/// A value behind one reference: copies share it until one of them is changed.
struct CopyOnWrite<Value: Sendable>: Sendable {
    // SAFETY: written only through a reference that is the only one.
    private final class Storage: @unchecked Sendable {
        var value: Value
        init(_ value: Value) { self.value = value }
    }
    private var storage: Storage

    init(_ value: Value) { storage = Storage(value) }

    var value: Value {
        _read { yield storage.value }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }
}

extension CopyOnWrite: Equatable where Value: Equatable {
    static func == (one: Self, other: Self) -> Bool { one.storage === other.storage || one.value == other.value }
}
