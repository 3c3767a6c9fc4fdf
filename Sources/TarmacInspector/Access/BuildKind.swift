/// How this module was compiled.
enum BuildKind {
    /// Whether assertions are compiled in, as in debug builds. SwiftPM and Xcode compile packages as they compile the app.
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
