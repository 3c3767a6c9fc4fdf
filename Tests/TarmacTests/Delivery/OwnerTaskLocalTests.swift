import Tarmac
import TarmacTesting
import Testing

@MainActor
private final class Screen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()
    let landings = Watched(0)

    func landed(_ result: Result<String, any Error>) { landings.update { $0 += 1 } }
}

private enum Trace {
    @TaskLocal static var current = "none"
}

private struct TraceReader: Interceptor {
    let seen: Watched<[String]>
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        seen.update { $0.append(Trace.current) }
        return try await chain.proceed(request)
    }
}

/// Calls of owners keep the task-local values of the place where they are made, as a trace.
@MainActor
@Suite("Task-local values of owned calls")
struct OwnerTaskLocalTests {
    private let seen = Watched<[String]>([])
    private let client: Client

    init() {
        client = Client(transport: .stub { _ in .text("hello") }, services: [Service("s", host: "https://s.example")]) { [seen] in
            $0.interceptors = [TraceReader(seen: seen)]
        }
    }

    @Test func anOwnersCallKeepsThem() async {
        let screen = Screen()
        await withCheckedContinuation { continuation in
            Trace.$current.withValue("outer") {
                _ = client.start(.get("/", as: String.self), owner: screen) { _, _ in continuation.resume() }
            }
        }
        #expect(seen.value == ["outer"])
    }

    @Test func ownedWorkKeepsThem() async {
        let screen = Screen()
        await withCheckedContinuation { continuation in
            Trace.$current.withValue("outer") {
                _ = client.start(
                    ClientWork {
                        try await $0.get("/", as: String.self)
                    }, owner: screen
                ) { _, _ in
                    continuation.resume()
                }
            }
        }
        #expect(seen.value == ["outer"])
    }

    @Test func aHeldCallHasThoseOfItsStart() async {
        let screen = Screen()
        let call = client.call(.get("/", as: String.self), owner: screen, landed: Screen.landed)
        Trace.$current.withValue("first") { _ = call.start() }
        _ = try? await screen.landings.wait { $0 == 1 }
        Trace.$current.withValue("second") { _ = call.start() }
        _ = try? await screen.landings.wait { $0 == 2 }
        #expect(seen.value == ["first", "second"])
    }
}
