/// The place of a nested context.
struct EncodingParent {
    let run: EncodingRun
    let stack: StackLimit
    let routes: EncodingRoutes
    /// The nesting level of its text in the complete text.
    let level: Int
    /// The step that leads to it.
    let step: EncodingStep?
}
