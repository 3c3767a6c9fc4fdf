/// Returns `value` as the type that a comparison such as `T.self == String.self` has found it to be.
///
/// SAFETY: every call follows that comparison, or was chosen by a table that compares types; debug builds compare again.
/// (In release builds another comparison would make the runtime look up the metadata of both types each time.)
@inline(__always)
func same<Value, Other>(_ value: Value, as type: Other.Type = Other.self) -> Other {
    assert(Value.self == Other.self, "a value of another type")
    return unsafe unsafeBitCast(value, to: type)
}
