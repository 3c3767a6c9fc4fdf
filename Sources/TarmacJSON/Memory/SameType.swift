/// `value` as the type it has been found to be: what generic code does behind `T.self == String.self`.
///
/// SAFETY: every caller stands behind that comparison, or was chosen by a table that compares types; debug builds compare
/// again. (In release builds asking for both types again would make the runtime look up their metadata each time.)
@inline(__always)
func same<Value, Other>(_ value: Value, as type: Other.Type = Other.self) -> Other {
    assert(Value.self == Other.self, "a value of another type")
    return unsafe unsafeBitCast(value, to: type)
}
