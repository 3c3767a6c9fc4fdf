public import TarmacCore

/// Closures that run around every call, at three points, in the background or on the main actor.
///
/// ```swift
/// $0.hooks.append(CallHooks("timing", willStart: { meter.begin($0.id) }, didStop: { call, _ in meter.end(call.id) }))
/// $0.hooks.append(.onMainActor("badge", willStop: { call, outcome in badge.update(outcome) }))
/// ```
/// - `willStart`: the call has its settings, and nothing is built or sent.
/// - `willStop`: the outcome is decided and not yet delivered.
/// - `didStop`: the outcome was delivered, or the owner is gone. For an awaited call, immediately before it returns.
///
/// Each hook is called exactly once for every call that was started, in this order, however the call ends: value,
/// error, cancellation, a deallocated owner, the shutdown of the client. Background hooks run before those on the main
/// actor, and hooks of lower layers before those of upper ones. A call waits for its hooks, so return quickly.
///
/// In YTKNetwork, `willStart` is `requestWillStart` and `didStop` is `requestDidStop`. `willStop` is `requestWillStop`,
/// and in the background also `requestCompletePreprocessor` and `requestFailedPreprocessor`, on the main actor
/// `requestCompleteFilter` and `requestFailedFilter`.
///
/// Hooks observe a call and cannot throw. To change a call, use an ``Interceptor``; to replace its error,
/// ``Options/mapError``; to handle the value of one endpoint, ``Endpoint/didLand(_:)``. The closures live as long as
/// the layer that sets them, so capture screens weakly.
public struct CallHooks: Sendable, CustomStringConvertible {
    /// The name that `explain` shows.
    package let name: String
    var willStart: (@Sendable (CallSummary) -> Void)?
    var willStop, didStop: (@Sendable (CallSummary, CallOutcome) -> Void)?
    var mainWillStart: (@MainActor @Sendable (CallSummary) -> Void)?
    var mainWillStop, mainDidStop: (@MainActor @Sendable (CallSummary, CallOutcome) -> Void)?

    private init(name: String) { self.name = name }

    /// Creates hooks that run in the background, never on the main actor, wherever the call was made.
    public init(
        _ name: String = "hooks", willStart: (@Sendable (CallSummary) -> Void)? = nil, willStop: (@Sendable (CallSummary, CallOutcome) -> Void)? = nil,
        didStop: (@Sendable (CallSummary, CallOutcome) -> Void)? = nil
    ) {
        self.init(name: name)
        self.willStart = willStart
        self.willStop = willStop
        self.didStop = didStop
    }

    /// Returns hooks that run on the main actor. A call that has only background hooks never waits for the main actor.
    public static func onMainActor(
        _ name: String = "hooks", willStart: (@MainActor @Sendable (CallSummary) -> Void)? = nil,
        willStop: (@MainActor @Sendable (CallSummary, CallOutcome) -> Void)? = nil,
        didStop: (@MainActor @Sendable (CallSummary, CallOutcome) -> Void)? = nil
    ) -> CallHooks {
        var hooks = CallHooks(name: name)
        hooks.mainWillStart = willStart
        hooks.mainWillStop = willStop
        hooks.mainDidStop = didStop
        return hooks
    }

    public var description: String { name }
}
