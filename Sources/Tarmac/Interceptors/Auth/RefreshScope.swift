/// The refresh a piece of work belongs to. Calls made inside it fly in the environment of the token, past the
/// authenticator being refreshed and past the line for a slot.
final class RefreshScope: Sendable {
    @TaskLocal private static var innermost: RefreshScope?

    let runtime: ServiceRuntime
    private let session: any AuthSession
    private let outer: RefreshScope?
    private let isOver = Locked(false)

    private init(_ session: any AuthSession, runtime: ServiceRuntime) {
        self.session = session
        self.runtime = runtime
        outer = Self.current
    }

    /// `nil` outside of a refresh, and in what outlived one.
    static var current: RefreshScope? {
        guard let scope = innermost else { return nil }
        return scope.isOver.withLock { $0 } ? nil : scope
    }

    /// Whether work inside waits for this session, directly or through another refresh.
    func covers(_ other: any AuthSession) -> Bool { session === other || outer?.covers(other) == true }

    static func run<Value: Sendable>(
        _ session: any AuthSession, runtime: ServiceRuntime, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        let scope = RefreshScope(session, runtime: runtime)
        defer { scope.isOver.withLock { $0 = true } }
        return try await $innermost.withValue(scope) { try await body() }
    }
}
