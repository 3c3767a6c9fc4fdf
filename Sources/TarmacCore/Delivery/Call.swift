/// A work that you hold, to start, cancel and restart it.
///
/// ```swift
/// products = client.call(ListProducts(page: 1), owner: self, landed: ProductVC.productsLanded)
/// products.start()
/// ```
@MainActor
public final class Call<W: Work>: AnyCall {
    /// The result of the last landing. It is `nil` before the first landing and after each start, so that an old
    /// value is never mistaken for a new one.
    ///
    /// Set it to `nil` to release the value and its response while you hold the call.
    public var result: Result<W.Value, any Error>? { didSet { if result == nil { landed = nil } } }
    /// The last landing with its status, header fields and JSON. It is kept until the call starts again. It is `nil`
    /// after a failure, and for work other than one call.
    public private(set) var landed: Landed<W.Value>?
    private let launch: @MainActor (Call) -> CallHandle?
    /// The number of the current flight.
    private var number = 0

    init<Owner: AnyOwner>(
        _ work: W, _ options: Options, on engine: Engine, owner: Owner, progress: (@MainActor (Owner, W.WorkProgress) -> Void)? = nil,
        landed: @escaping @MainActor (Owner, Result<W.Value, any Error>) -> Void
    ) {
        launch = { [weak owner] call in
            guard let owner else { return nil }
            let number = call.number
            // The flight holds the call until it lands: without other references, the call must still inform its
            // delegate.
            return OwnedFlight.start(work, options, on: engine, owner: owner, progress: progress) { owner, result in
                call.land(result, of: number) { landed(owner, result.map(\.value)) }
            }
        }
    }

    /// Creates a call that lands as cancelled.
    init<Owner: AnyOwner>(cancelledOn engine: Engine, owner: Owner, landed: @escaping @MainActor (Owner) -> Void) {
        launch = { [weak owner] call in
            guard let owner else { return nil }
            let work = OwnedWork<WorkResult<W.Value>>(engine, run: { _ in throw CancellationError() }), number = call.number
            return OwnedFlight.start(owner: owner, lifetime: .of(owner), work: work) { owner, result in
                call.land(result, of: number) { landed(owner) }
            }
        }
    }

    /// Keeps the result of a flight and informs the owner.
    ///
    /// If the call was cancelled and started again, the owner is still informed of the cancelled flight, and the new
    /// flight keeps its own result.
    private func land(_ flown: Result<WorkResult<W.Value>, any Error>, of flight: Int, tell: () -> Void) {
        let current = (number, result, landed)
        result = flown.map(\.value)
        landed = (try? flown.get())?.landed
        tell()
        if flight != current.0, number == current.0 { (result, landed) = (current.1, current.2) }
    }

    /// Starts the call. If it is already in flight, this does nothing, so starting twice sends one request. A paused
    /// call continues.
    ///
    /// A cancelled call starts again at once. The owner is still informed of the cancelled flight.
    @discardableResult
    public override func start() -> CallHandle? {
        if let handle, handle.isFlying {
            handle.resume()
            return handle
        }
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
    ///
    /// ```swift
    /// film = client.call(Download(Film(id: 1), to: path), owner: self, landed: FilmScreen.filmLanded)
    /// ```
    @MainActor
    public func call<W: Work, Owner: AnyOwner>(
        _ work: W, owner: Owner, configure: (inout Options) -> Void = { _ in },
        progress: (@MainActor (Owner, W.WorkProgress) -> Void)? = nil,
        landed: @escaping @MainActor (Owner) -> @MainActor (Result<W.Value, any Error>) -> Void
    ) -> Call<W> {
        Call(work, Options(configure), on: engine, owner: owner, progress: progress) { landed($0)($1) }
    }

    /// Returns a call to start later. A delegate, which also owns the call, receives the result.
    @MainActor
    public func call<W: Work, Delegate: CallDelegate & AnyOwner>(
        _ work: W, delegate: Delegate, configure: (inout Options) -> Void = { _ in }
    ) -> Call<W> {
        let options = Options(configure)
        return Call.telling(delegate) { tell in Call(work, options, on: engine, owner: delegate) { delegate, _ in tell(delegate) } }
    }
}

extension Call {
    /// Returns a call that informs a delegate with itself.
    static func telling<Delegate: CallDelegate>(_ delegate: Delegate, make: (@escaping @MainActor (Delegate) -> Void) -> Call) -> Call {
        let box = WeakCall()
        let call = make { delegate in
            if let call = box.call { delegate.callDidLand(call) }
        }
        box.call = call
        return call
    }
}

extension Call where W: PausableWork {
    /// Pauses the transfer and keeps the bytes so far; see ``CallHandle/pause()``. ``resume()`` and ``start()`` continue it.
    public func pause() { handle?.pause() }

    /// Continues a paused transfer.
    public func resume() { handle?.resume() }

    /// Whether the transfer is paused.
    public var isPaused: Bool { handle?.isPaused ?? false }
}

@MainActor
private final class WeakCall {
    weak var call: AnyCall?
}
