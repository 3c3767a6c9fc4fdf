// No print, String(reflecting:), dump or Mirror of an enclosing value shows the wrapped value.

/// The text in place of a value that must not be shown.
enum Masked {
    static let text = "•••"
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { Masked.text }
    public var debugDescription: String { Masked.text }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Header: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { Masked.text }
    public var debugDescription: String { Masked.text }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
