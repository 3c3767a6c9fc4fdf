/// The stages of a call, outermost first. A setting that no layer sets has none.
struct InterceptorPlan: Sendable {
    let stages: [any Interceptor]
    /// The observers that settings bring.
    var observers: [any EventObserver] = []

    /// Makes the plan for resolved settings.
    typealias Maker = @Sendable (StageScope) -> InterceptorPlan
}
