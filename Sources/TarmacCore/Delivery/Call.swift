/// A call to hold: started, cancelled and started again by whoever owns it (BQ-2, YTK-19).
///
/// ```swift
/// products = client.call(ListProducts(page: 1), owner: self, landed: ProductVC.productsLanded)
/// products.start()
/// ```
@MainActor
public final class Call<Value: Sendable>: AnyCall {
    /// What the last landing brought; `nil` before the first and while flying again, so that an old value never passes
    /// for a new one (LM-B1).
    public private(set) var result: Result<Value, any Error>?
    /// The last landing with all that came along: status, header fields, JSON. It is kept until the call starts again;
    /// `nil` after a failure, and for a group, which lands many answers.
    public private(set) var landed: Landed<Value>?
    private let launch: @MainActor (Call<Value>) -> CallHandle?
    /// Which flight it is on.
    private var number = 0

    /// A call that lands one answer.
    convenience init<Owner: AnyObject>(
        owner: Owner, lifetime: Lifetime, landing: OwnedWork<Landed<Value>>,
        landed: @escaping @MainActor (Owner, Result<Value, any Error>) -> Void
    ) {
        self.init(owner: owner, lifetime: lifetime, flight: landing.map { Flown($0) }, landed: landed)
    }

    /// Work that may make many calls.
    package convenience init<Owner: AnyObject>(
        owner: Owner, lifetime: Lifetime, work: OwnedWork<Value>,
        landed: @escaping @MainActor (Owner, Result<Value, any Error>) -> Void
    ) {
        self.init(owner: owner, lifetime: lifetime, flight: work.map { Flown(value: $0) }, landed: landed)
    }

    private struct Flown: Sendable {
        let value: Value
        var landed: Landed<Value>?

        init(value: Value) { self.value = value }
        init(_ landed: Landed<Value>) {
            value = landed.value
            self.landed = landed
        }
    }

    private init<Owner: AnyObject>(
        owner: Owner, lifetime: Lifetime, flight: OwnedWork<Flown>,
        landed: @escaping @MainActor (Owner, Result<Value, any Error>) -> Void
    ) {
        launch = { [weak owner, weak lifetime] call in
            guard let owner, let lifetime else { return nil }
            let number = call.number
            // The flight holds the call until it lands: one nobody else holds must still tell its delegate.
            return OwnedFlight.start(owner: owner, lifetime: lifetime, work: flight) { owner, result in
                call.land(result, of: number) { landed(owner, result.map(\.value)) }
            }
        }
    }

    /// Keeps what a flight brought and tells of it. One that was cancelled and started anew is told of all the same, and
    /// leaves the new flight what is its own.
    private func land(_ flown: Result<Flown, any Error>, of flight: Int, tell: () -> Void) {
        let current = (number, result, landed)
        result = flown.map(\.value)
        landed = (try? flown.get())?.landed
        tell()
        if flight != current.0, number == current.0 { (result, landed) = (current.1, current.2) }
    }

    /// Takes off. A call that is in flight goes on: starting it twice sends one request (BQ-B6). One that was cancelled
    /// takes off anew at once; the owner is still told of the cancelled flight.
    @discardableResult
    public override func start() -> CallHandle? {
        if let handle, handle.isFlying { return handle }
        number += 1
        result = nil
        landed = nil
        handle = launch(self)
        return handle
    }

    public override var hasSucceeded: Bool { if case .success = result { true } else { false } }
    public override var error: (any Error)? { if case .failure(let error) = result { error } else { nil } }
    package override var answer: Answer? { landed.map { Answer(payload: $0.payload, attempts: $0.attempts, duration: $0.duration) } }
}

/// A held call whatever it lands as: what a delegate of several calls is given.
@MainActor
public class AnyCall {
    fileprivate(set) var handle: CallHandle?

    init() {}

    /// Takes off; see ``Call/start()``.
    @discardableResult
    public func start() -> CallHandle? { nil }

    /// Ends the flight; the owner gets one `CancellationError`.
    public func cancel() { handle?.cancel() }

    /// Whether it is in flight. Once cancelled it is not any more, though its landing is still to come.
    public var isFlying: Bool { handle?.isFlying ?? false }
    /// Whether the last landing brought a value.
    public var hasSucceeded: Bool { false }
    /// What the last landing failed with.
    public var error: (any Error)? { nil }
    /// What the last landing brought, whatever it was made into.
    package var answer: Answer? { nil }

    package struct Answer {
        package let payload: Payload
        package let attempts: Int
        package let duration: Duration
    }
}

/// A delegate of calls (LM-4): one method for all, told apart by identity.
@MainActor
public protocol CallDelegate: AnyObject {
    /// Called once for each landing, success or not; `call.hasSucceeded` and `call.error` tell which.
    func callDidLand(_ call: AnyCall)
}

extension Client {
    /// A call to start later, delivered to a method of its owner.
    @MainActor
    public func call<E: Endpoint, Owner: LifetimeOwner>(
        _ endpoint: E, owner: Owner, configure: (inout Options) -> Void = { _ in },
        landed: @escaping @MainActor (Owner) -> @MainActor (Result<E.Value, any Error>) -> Void
    ) -> Call<E.Value> {
        Call(owner: owner, lifetime: owner.lifetime, landing: landedWork(endpoint, configure)) { landed($0)($1) }
    }

    /// A call to start later, delivered to a delegate, which also owns it.
    @MainActor
    public func call<E: Endpoint, Delegate: CallDelegate & LifetimeOwner>(
        _ endpoint: E, delegate: Delegate, configure: (inout Options) -> Void = { _ in }
    ) -> Call<E.Value> {
        let box = WeakCall()
        let call = Call<E.Value>(owner: delegate, lifetime: delegate.lifetime, landing: landedWork(endpoint, configure)) { delegate, _ in
            if let call = box.call { delegate.callDidLand(call) }
        }
        box.call = call
        return call
    }
}

@MainActor
private final class WeakCall {
    weak var call: AnyCall?
}
