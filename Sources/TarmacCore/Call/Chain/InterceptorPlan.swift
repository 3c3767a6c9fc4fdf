/// The stages of a call, outermost first. A setting that no layer sets has none.
struct InterceptorPlan: Sendable {
    let stages: [any Interceptor]

    /// Makes the plan for resolved settings.
    typealias Maker = @Sendable (StageScope) -> InterceptorPlan
}
