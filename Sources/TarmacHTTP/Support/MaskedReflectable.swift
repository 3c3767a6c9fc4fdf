/// A type whose reflection shows nothing but its masked description, so that `dump`, `Mirror` and a debugger print no secret.
public protocol MaskedReflectable: CustomStringConvertible, CustomReflectable {}

extension MaskedReflectable {
    /// A mirror of the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
