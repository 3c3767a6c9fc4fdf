public import TarmacCore

/// What an app does around every call: three moments, each in the background or on the main actor.
///
/// ```swift
/// $0.hooks.append(CallHooks("timing", willStart: { meter.begin($0.id) }, didStop: { call, _ in meter.end(call.id) }))
/// $0.hooks.append(.onMainActor("badge", willStop: { call, outcome in badge.update(outcome) }))
/// ```
/// | moment | when | YTKNetwork's name |
/// |---|---|---|
/// | `willStart` | the call has its settings; nothing is built or sent | `requestWillStart` |
/// | `willStop` | the outcome is decided, nobody was told | `requestWillStop`, `requestCompletePreprocessor` and `requestFailedPreprocessor` in the background, `requestCompleteFilter` and `requestFailedFilter` on the main actor |
/// | `didStop` | the owner was told, or fell silent; for an awaited call immediately before it returns | `requestDidStop` |
///
/// Each is called exactly once for every call that took off, in this order, however the call ends: value, error,
/// cancellation, an owner that is gone, the end of the client. Those in the background come before those on the main
/// actor, those of lower layers before those of upper ones. A call waits for its hooks: return quickly.
///
/// Hooks watch and cannot throw. What changes a call is an ``Interceptor``; what replaces its error is
/// ``Options/mapError``; what belongs to one endpoint's value is ``Endpoint/didLand(_:)``. Closures live as long as the
/// layer that sets them: hold screens weakly.
public struct CallHooks: Sendable, CustomStringConvertible {
    /// Called before a call.
    public typealias Start = @Sendable (CallSummary) -> Void
    /// Called with what became of a call.
    public typealias Stop = @Sendable (CallSummary, CallOutcome) -> Void
    /// Called before a call, on the main actor.
    public typealias MainActorStart = @MainActor @Sendable (CallSummary) -> Void
    /// Called with what became of a call, on the main actor.
    public typealias MainActorStop = @MainActor @Sendable (CallSummary, CallOutcome) -> Void

    /// What `explain` calls them.
    public let name: String
    var willStart: Start?
    var willStop: Stop?
    var didStop: Stop?
    var mainWillStart: MainActorStart?
    var mainWillStop: MainActorStop?
    var mainDidStop: MainActorStop?

    private init(name: String) { self.name = name }

    /// Hooks in the background: never on the main actor, wherever the call was made.
    public init(_ name: String = "hooks", willStart: Start? = nil, willStop: Stop? = nil, didStop: Stop? = nil) {
        self.init(name: name)
        self.willStart = willStart
        self.willStop = willStop
        self.didStop = didStop
    }

    /// Hooks on the main actor. A call whose hooks are all in the background never waits for it.
    public static func onMainActor(
        _ name: String = "hooks", willStart: MainActorStart? = nil, willStop: MainActorStop? = nil, didStop: MainActorStop? = nil
    ) -> CallHooks {
        var hooks = CallHooks(name: name)
        hooks.mainWillStart = willStart
        hooks.mainWillStop = willStop
        hooks.mainDidStop = didStop
        return hooks
    }

    public var description: String { name }
}
