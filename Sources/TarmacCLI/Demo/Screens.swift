#if Tools
import Tarmac
@_spi(TarmacRooms) import TarmacCore

/// A screen that starts a slow call and is left before the response arrives.
@MainActor
final class Screen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()

    /// A screen whose call is in flight. Only the returned reference keeps the screen.
    static func opened(on client: Client, called: @escaping @Sendable () -> Void) -> Reference {
        let screen = Screen()
        client.start(Slow(ms: 30_000), owner: screen) { _, _ in called() }
        return Reference(screen)
    }

    /// The only reference to a screen, until the screen is left.
    @MainActor
    final class Reference {
        private var screen: Screen?
        init(_ screen: Screen) { self.screen = screen }
        func leave() { screen = nil }
    }
}

/// A login screen whose button is tapped twice.
@MainActor
final class LoginScreen: LifetimeOwner {
    struct Outcome: Sendable {
        var taps = 0
        var landings = 0
        var token = ""
    }

    nonisolated let lifetime = Lifetime()
    private let login = CallSlot(.ignoreWhileFlying)
    private var outcome = Outcome()

    static func doubleTap(_ client: Client) async throws -> Outcome {
        let screen = LoginScreen()
        let session = try await withCheckedThrowingContinuation { continuation in
            screen.tap(client) { continuation.resume(with: $0) }
            screen.tap(client) { _ in }
        }
        screen.outcome.token = session.token
        return screen.outcome
    }

    private func tap(_ client: Client, landed: @escaping @MainActor (Result<DemoSession, any Error>) -> Void) {
        outcome.taps += 1
        login.start(Login(name: "ann", password: "runway"), on: client, owner: self) { screen, result in
            screen.outcome.landings += 1
            landed(result)
        }
    }
}

/// A client's events, as they happen.
struct EventFeed: EventObserver {
    private let listeners = Locked<[AsyncStream<CallEvent>.Continuation]>([])

    func receive(_ event: CallEvent) {
        for listener in listeners.withLock({ $0 }) { listener.yield(event) }
    }

    /// The events from now on.
    func feed() -> Feed {
        let (stream, continuation) = AsyncStream.makeStream(of: CallEvent.self)
        listeners.withLock { $0.append(continuation) }
        return Feed(iterator: stream.makeAsyncIterator())
    }

    final class Feed {
        private var iterator: AsyncStream<CallEvent>.Iterator
        init(iterator: AsyncStream<CallEvent>.Iterator) { self.iterator = iterator }

        /// Waits for an event; throws when the call ends without it.
        func first(_ isWanted: (CallEvent) -> Bool) async throws {
            while let event = await iterator.next() {
                if isWanted(event) { return }
                if case .failed(let error, _) = event.kind { throw error }
            }
            throw CancellationError()
        }
    }
}
#endif
