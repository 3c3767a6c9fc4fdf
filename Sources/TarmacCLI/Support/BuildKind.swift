#if Tools
/// How this program was compiled.
enum BuildKind {
    /// Whether assertions are compiled in, as in debug builds.
    static var isDebug: Bool {
        var isDebug = false
        assert(
            {
                isDebug = true
                return true
            }())
        return isDebug
    }
}
#endif
