@_spi(TarmacRooms) import TarmacCore

/// The removal of an entry whose bytes are still being read: at their end, or when the reader leaves.
final class LateRemoval: Sendable {
    private let id: UInt64
    private let stores: CacheStores
    private let context: CallContext
    private let isDone = Locked(false)

    init(of id: UInt64, from stores: CacheStores, for context: CallContext) {
        self.id = id
        self.stores = stores
        self.context = context
    }

    func perform() async {
        isDone.withLock { $0 = true }
        await stores.remove(.entry(id), for: context)
    }

    deinit { if !isDone.withLock({ $0 }) { stores.removeSoon(.entry(id), for: context) } }
}
