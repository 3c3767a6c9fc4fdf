import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@_spi(TarmacRooms) @testable import TarmacHTTP

/// An object of the app that calls Tarmac when its last reference is gone.
private final class Departing: EventObserver, Authenticator {
    let name = "departing"
    let maximumSessions = 1
    private let depart: @Sendable () -> Void

    init(_ depart: @escaping @Sendable () -> Void) { self.depart = depart }
    deinit { depart() }

    func receive(_ event: CallEvent) {}
    func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken { throw CancellationError() }
    /// Does nothing, so that a closure can hold the object.
    func hold() {}
}

private struct HoldingWatch: DeadlineWatch {
    let object: Departing
    func expire(_ now: Moment) -> Moment? { nil }
}

/// A place where the client releases what it has kept.
private struct ReleasePlace: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Lets the client release an object, which calls the closure.
    let release: @Sendable (_ note: @escaping @Sendable () -> Void) async throws -> Void

    init(_ name: String, _ release: @escaping @Sendable (_ note: @escaping @Sendable () -> Void) async throws -> Void) {
        (testDescription, self.release) = (name, release)
    }

    static let all: [ReleasePlace] = layers + retired + calls + sessions

    // MARK: The client's layer

    private static let service = Service("s", hosts: [.production: "https://s.example", .test: "https://t.example"])

    /// A client whose only observer calls it as it goes.
    private static func client(_ note: @escaping @Sendable () -> Void) -> Client {
        let own = Watched<Client?>(nil)
        let client = Client(transport: .stub { _ in .status(.ok) }, services: [service])
        own.update { $0 = client }
        client.options.observers = [
            Departing {
                guard let client = own.update({ $0.take() }) else { return }
                client.cancelAll(tagged: "x")
                client.options.headers["X-Left"] = "1"
                client.environment = .test
                note()
            }
        ]
        return client
    }

    private static let layers = [
        ReleasePlace("observers that are replaced before the first call") { note in client(note).options.observers = [] },
        ReleasePlace("observers that are replaced after a call") { note in
            let client = client(note)
            try await client.get("/a")
            client.options.observers = []
        },
        ReleasePlace("options that are replaced") { note in
            let client = client(note)
            try await client.get("/a")
            client.options = Options()
        },
    ]

    // MARK: Retired runtimes

    /// A client that keeps a retired runtime, which is over and has the only reference to the observer.
    private static func retiring(_ note: @escaping @Sendable () -> Void) async throws -> Client {
        let client = client(note)
        weak let runtime = try client.engine.runtime(service)
        client.environment = .test
        client.options = Options()
        await eventually { runtime?.isOver == true }
        return client
    }

    private static let retired = [
        ReleasePlace("a retired runtime, at the next environment") { note in try await retiring(note).environment = .production },
        ReleasePlace("a retired runtime, as another retires") { note in
            let engine = try await retiring(note).engine
            engine.retire(try engine.makeRuntime(service, .production))
        },
        ReleasePlace("a retired runtime, at a drain") { note in try await retiring(note).engine.drain(for: .seconds(60)) },
        ReleasePlace("a retired runtime, at the shutdown") { note in try await retiring(note).shutdown() },
    ]

    // MARK: Calls

    private static func exchange() -> Exchange { Exchange(delivery: .collected(limit: 1)) }
    private static let summary = CallSummary(kind: .scope, id: 1, name: "scope", service: nil, tags: [], userInfo: UserInfo())

    private static let calls = [
        ReleasePlace("the closure that aborts an exchange, at its end") { note in
            let exchange = exchange()
            do {
                let flight = Departing {
                    exchange.report(.ended)
                    note()
                }
                exchange.onAbort { _ in flight.hold() }
            }
            exchange.report(.ended)
        },
        ReleasePlace("the closure that aborts an exchange, when another replaces it") { note in
            let exchange = exchange()
            do {
                let flight = Departing {
                    exchange.report(.sentHead)
                    note()
                }
                exchange.onAbort { _ in flight.hold() }
            }
            exchange.onAbort { _ in }
        },
        ReleasePlace("an action for a pause, when the call is cancelled") { note in
            let handle = CallHandle()
            do {
                let object = Departing {
                    handle.resume()
                    note()
                }
                _ = handle.whenPaused { _ in object.hold() }
            }
            handle.cancel()
        },
        ReleasePlace("an action for the end, when the call lands") { note in
            let handle = CallHandle()
            do {
                let object = Departing {
                    handle.cancel()
                    note()
                }
                _ = handle.whenEnded { object.hold() }
            }
            _ = handle.land(Result<Void, any Error>.success(()))
        },
        ReleasePlace("an action for a cancellation, at the end of a group") { note in
            let scope = CallScope(summary, in: .none)
            do {
                let object = Departing {
                    scope.cancel()
                    note()
                }
                scope.whenCancelled { object.hold() }
            }
            scope.end()
        },
        ReleasePlace("an action for a cancellation of a queued call, when another replaces it") { note in
            let handle = CallHandle(), call = QueuedCall(owner: WeakOwner(handle, handle)) { _ in true }
            do {
                let object = Departing {
                    call.cancel()
                    note()
                }
                call.whenCancelled { object.hold() }
            }
            call.whenCancelled {}
        },
        ReleasePlace("a time limit, at the shutdown") { note in
            let time = ManualTime(), heap = DeadlineHeap(time: time)
            _ = heap.add(
                HoldingWatch(
                    object: Departing {
                        heap.stop()
                        note()
                    }), at: time.moment + .seconds(60))
            heap.stop()
        },
    ]

    // MARK: Sessions

    private static func key(_ name: String) -> AuthSessions.Key {
        AuthSessions.Key(token: TokenKey(service: "s", environment: "production"), name: ExactText(name))
    }

    private static func sessions(_ note: @escaping @Sendable () -> Void) throws -> AuthSessions {
        let client = Client(transport: .stub { _ in .status(.ok) }, services: [service])
        let sessions = AuthSessions(client.engine.scope)
        let object = Departing {
            sessions.release(key("other"))
            note()
        }
        _ = try sessions.session(.tokens(object, nil), key("first"))
        return sessions
    }

    private static let sessions = [
        ReleasePlace("an authenticator, when its session makes room") { note in
            _ = try sessions(note).session(.tokens(Departing {}, nil), key("second"))
        },
        ReleasePlace("an authenticator, when its login has ended") { note in try sessions(note).release(key("first")) },
        ReleasePlace("an authenticator of one call, among those used recently") { note in
            let client = Client(transport: .stub { _ in .status(.ok) }, services: [service])
            let sessions = try client.engine.runtime(service).scope.auth
            // The session belongs to the first authenticator. The others of its name share it.
            _ = try sessions.session(Authentication(Departing {}), principal: "")
            _ = try sessions.session(
                Authentication(
                    Departing {
                        sessions.release(Departing {}, principal: "nobody")
                        note()
                    }), principal: "")
            for _ in 0..<4 { _ = try sessions.session(Authentication(Departing {}), principal: "") }
        },
        ReleasePlace("an authenticator of one call, when the login has ended") { note in
            let client = Client(transport: .stub { _ in .status(.ok) }, services: [service])
            let sessions = try client.engine.runtime(service).scope.auth
            _ = try sessions.session(Authentication(Departing {}), principal: "")
            _ = try sessions.session(
                Authentication(
                    Departing {
                        sessions.release(Departing {}, principal: "nobody")
                        note()
                    }), principal: "")
            sessions.release(Departing {}, principal: "")
        },
    ]
}

/// The client holds the last reference to many objects of an app. Their `deinit` may call it.
@Suite("Last references", .timeLimit(.minutes(1)))
struct LastReferenceTests {
    @Test(arguments: ReleasePlace.all)
    fileprivate func anObjectThatCallsTheClientAsItIsReleasedFindsNoLockTaken(place: ReleasePlace) async throws {
        let called = Watched(0), result = Watched<Result<Void, any Error>?>(nil)
        // A task of its own: the test ends at its time limit even if the task hangs.
        Task.detached {
            let end: Result<Void, any Error>
            do { end = .success(try await place.release { called.update { $0 += 1 } }) } catch { end = .failure(error) }
            result.update { $0 = end }
        }
        try await result.wait { $0 != nil }?.get()
        try await called.wait { $0 == 1 }
    }

    /// An optimized build would end an ignored result at its last use.
    @Test func aResultThatTheCallerIgnoresIsReleasedWithoutTheLock() async throws {
        let kept = Locked<Departing?>(nil), called = Watched(0)
        kept.withLock { place in
            place = Departing {
                kept.withLock { _ in }
                called.update { $0 += 1 }
            }
        }
        Task.detached {
            kept.withLock { place in
                defer { place = nil }
                return place
            }
        }
        try await called.wait { $0 == 1 }
    }
}
