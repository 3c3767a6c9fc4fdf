/// A weakly held object that can be identified while it exists and afterwards.
package protocol ObjectReference: AnyObject, Sendable {
    /// The object, or `nil` once it is gone.
    var object: AnyObject? { get }
    /// The identity of the object. Another object may get the same identity once this one is gone.
    var id: ObjectIdentifier { get }
    /// The lifetime that ends with the object, if nothing else reports its end.
    var lifetime: Lifetime? { get }
}
