/// A weakly held object that can be identified while it exists and afterwards.
package protocol ObjectReference: AnyObject, Sendable {
    /// The object, or `nil` once it is gone.
    var object: AnyObject? { get }
    /// The identity of the object. Another object may get the same identity once this one is gone.
    var id: ObjectIdentifier { get }
    /// The lifetime that ends with the object, if nothing else reports its end.
    var lifetime: Lifetime? { get }
}

// SAFETY: a weak reference is read and cleared atomically and never set after it was made; what it refers to is
// Sendable,
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
