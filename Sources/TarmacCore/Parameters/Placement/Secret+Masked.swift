// Law 9: neither print, nor String(reflecting:), nor dump, nor a Mirror of an enclosing value shows what is wrapped.

/// What stands for a value that must not be shown.
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
