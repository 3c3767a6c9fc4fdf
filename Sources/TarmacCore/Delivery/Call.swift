/// A call that you hold, to start, cancel and restart it.
///
/// ```swift
/// products = client.call(ListProducts(page: 1), owner: self, landed: ProductVC.productsLanded)
/// products.start()
/// ```
@MainActor
public final class Call<Value: Sendable>: AnyCall {
    /// The result of the last landing. It is `nil` before the first landing and after each start, so that an old
    /// value is never mistaken for a new one.
    ///
    /// Set it to `nil` to release the value and its response while you hold the call.
    public var result: Result<Value, any Error>? { didSet { if result == nil { landed = nil } } }
    /// The last landing with its status, header fields and JSON. It is kept until the call starts again. It is `nil`
    /// after a failure, and for a group of calls, which has many responses.
    public private(set) var landed: Landed<Value>?
    private let launch: @MainActor (Call<Value>) -> CallHandle?
    /// The number of the current flight.
    private var number = 0

    /// Creates a call that lands one response.
    convenience init<Owner: AnyObject>(
        owner: Owner, lifetime: Lifetime, landing: OwnedWork<Landed<Value>>,
        landed: @escaping @MainActor (Owner, Result<Value, any Error>) -> Void
    ) {
        self.init(owner: owner, lifetime: lifetime, flight: landing.map { Flown($0) }, landed: landed)
    }

    /// Creates a call for work that may make many calls.
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
            // The flight holds the call until it lands: without other references, the call must still inform its
            // delegate.
            return OwnedFlight.start(owner: owner, lifetime: lifetime, work: flight) { owner, result in
                call.land(result, of: number) { landed(owner, result.map(\.value)) }
            }
        }
    }

    /// Keeps the result of a flight and informs the owner.
    ///
    /// If the call was cancelled and started again, the owner is still informed of the cancelled flight, and the new
    /// flight keeps its own result.
    private func land(_ flown: Result<Flown, any Error>, of flight: Int, tell: () -> Void) {
        let current = (number, result, landed)
        result = flown.map(\.value)
        landed = (try? flown.get())?.landed
        tell()
        if flight != current.0, number == current.0 { (result, landed) = (current.1, current.2) }
    }

    /// Starts the call. If it is already in flight, this does nothing, so starting twice sends one request.
    ///
    /// A cancelled call starts again at once. The owner is still informed of the cancelled flight.
    @discardableResult
    public override func start() -> CallHandle? {
        if let handle, handle.isFlying { return handle }
        number += 1
        result = nil
        handle = launch(self)
        return handle
    }

    public override var hasSucceeded: Bool { if case .success = result { true } else { false } }
    public override var error: (any Error)? { if case .failure(let error) = result { error } else { nil } }
    package override var answer: Answer? { landed.map { Answer(payload: $0.payload, attempts: $0.attempts, duration: $0.duration) } }
}

/// A held call with any type of value, as a delegate of several calls receives it.
@MainActor
public class AnyCall {
    fileprivate(set) var handle: CallHandle?

    init() {}

    /// Starts the call; see ``Call/start()``.
    @discardableResult
    public func start() -> CallHandle? { nil }

    /// Cancels the call. The owner gets one `CancellationError`.
    public func cancel() { handle?.cancel() }

    /// Whether the call is in flight. A cancelled call is not, even if its landing is still to come.
    public var isFlying: Bool { handle?.isFlying ?? false }
    /// Whether the last landing had a value.
    public var hasSucceeded: Bool { false }
    /// The error of the last landing, or `nil`.
    public var error: (any Error)? { nil }
    /// The response of the last landing, regardless of the type of the value.
    package var answer: Answer? { nil }

    package struct Answer {
        package let payload: Payload
        package let attempts: Int
        package let duration: Duration
    }
}

/// A delegate of calls. One method serves all calls, which you tell apart by identity.
@MainActor
public protocol CallDelegate: AnyObject {
    /// Called once for each landing, whether it succeeded or failed. Check `call.hasSucceeded` and `call.error`.
    func callDidLand(_ call: AnyCall)
}

extension Client {
    /// Returns a call to start later. A method of its owner receives the result.
    ///
    /// The call keeps `landed` for as long as it is held. Use the owner that `landed` receives, and do not capture it.
    @MainActor
    public func call<E: Endpoint, Owner: AnyOwner>(
        _ endpoint: E, owner: Owner, configure: (inout Options) -> Void = { _ in },
        landed: @escaping @MainActor (Owner) -> @MainActor (Result<E.Value, any Error>) -> Void
    ) -> Call<E.Value> {
        Call(owner: owner, lifetime: .of(owner), landing: landedWork(endpoint, configure)) { landed($0)($1) }
    }

    /// Returns a call to start later. A delegate, which also owns the call, receives the result.
    @MainActor
    public func call<E: Endpoint, Delegate: CallDelegate & AnyOwner>(
        _ endpoint: E, delegate: Delegate, configure: (inout Options) -> Void = { _ in }
    ) -> Call<E.Value> {
        let work = landedWork(endpoint, configure)
        return Call.telling(delegate) { Call(owner: delegate, lifetime: .of(delegate), landing: work, landed: $0) }
    }
}

extension Call {
    /// Returns a call that informs a delegate with itself.
    static func telling<Delegate: CallDelegate>(
        _ delegate: Delegate, make: (@escaping @MainActor (Delegate, Result<Value, any Error>) -> Void) -> Call
    ) -> Call {
        let box = WeakCall()
        let call = make { delegate, _ in
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
