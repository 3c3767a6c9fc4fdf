/// What a nested context knows of where it stands.
struct EncodingParent {
    let run: EncodingRun
    let stack: StackLimit
    let routes: EncodingRoutes
    /// How deep its text stands in the whole.
    let level: Int
    /// The step that leads to it.
    let step: EncodingStep?
}
