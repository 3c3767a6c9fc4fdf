/// An object held weakly that can be told apart from others while it lives and after.
package protocol ObjectReference: AnyObject, Sendable {
    /// The object, while it lives.
    var object: AnyObject? { get }
    /// Which object. Another one may get the same once this one is gone.
    var id: ObjectIdentifier { get }
    /// What tells when it is gone, where nothing else does.
    var lifetime: Lifetime? { get }
}

// SAFETY: a weak reference is read and cleared atomically and never set after it was made; what it refers to is Sendable,
// or is made and used on the main actor alone.
package final class WeakReference: ObjectReference, @unchecked Sendable {
    package private(set) weak var object: AnyObject?
    package private(set) weak var lifetime: Lifetime?
    package let id: ObjectIdentifier

    package init(_ object: AnyObject) {
        self.object = object
        lifetime = .ofHost(object)
        id = ObjectIdentifier(object)
    }
}
