@_spi(TarmacRooms) import TarmacCore

// SAFETY: a weak reference is read and cleared atomically and never set after it was made; what it refers to is
// Sendable, or is made and used on the main actor alone.
final class WeakReference: ObjectReference, @unchecked Sendable {
    private(set) weak var object: AnyObject?
    private(set) weak var lifetime: Lifetime?
    let id: ObjectIdentifier

    init(_ object: AnyObject) {
        self.object = object
        lifetime = .ofHost(object)
        id = ObjectIdentifier(object)
    }
}
