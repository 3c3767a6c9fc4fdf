extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) {
        self.init(.null)
    }

    public init(booleanLiteral value: Bool) {
        self.init(.bool(value))
    }

    public init(integerLiteral value: Int64) {
        self.init(.int(value))
    }

    public init(floatLiteral value: Double) {
        self.init(.double(value))
    }

    public init(stringLiteral value: String) {
        self.init(.string(value))
    }

    public init(arrayLiteral elements: JSON...) {
        self.init(.array(elements))
    }

    /// Creates an object; of equal keys the first counts.
    public init(dictionaryLiteral members: (String, JSON)...) {
        var list = MemberList()
        for (key, value) in members where !value.isMissing { list.appendIfNew(key, value) }
        self.init(.object(list))
    }
}

extension JSON {
    public init(_ value: Bool) {
        self.init(.bool(value))
    }

    /// Creates a number from any integer; one beyond 64 bits is kept as text.
    public init<T: FixedWidthInteger>(_ value: T) {
        if let value = Int64(exactly: value) {
            self.init(.int(value))
        } else if let value = UInt64(exactly: value) {
            self.init(.uint(value))
        } else {
            self.init(.number(String(value)))
        }
    }

    /// Creates a number. One that is not finite cannot be written: ``bytes(_:)`` throws.
    public init(_ value: Double) {
        self.init(.double(value))
    }

    public init(_ value: String) {
        self.init(.string(value))
    }

    public init(_ elements: [JSON]) {
        self.init(.array(elements))
    }

    /// Creates an object with members in the order of their keys.
    public init(_ members: [String: JSON]) {
        var list = MemberList()
        for (key, value) in members.ordered(by: { $0.key < $1.key }) { list[key] = value }
        self.init(.object(list))
    }
}
