/// The stages of a call, outermost first. A setting that no layer sets brings none.
struct InterceptorPlan: Sendable {
    let stages: [any Interceptor]

    /// Makes the plan of resolved settings.
    typealias Maker = @Sendable (StageScope) -> InterceptorPlan
}
