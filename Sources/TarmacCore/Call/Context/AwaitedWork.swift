package import HTTPTypes
@_spi(TarmacRooms) import TarmacHTTP

/// Work that calls wait for, such as the refresh of a token.
///
/// The calls that the work makes with its client run in its environment. They never wait for the work itself, nor for
/// a dispatch slot, because the waiting calls could hold all slots.
package final class AwaitedWork: Sendable {
    /// The work that the current task performs. It identifies calls of a client that the work has captured, which
    /// would otherwise wait for the work.
    @TaskLocal static var current: AwaitedWork?

    let runtime: ServiceRuntime
    /// The object that the work belongs to.
    private let subject: any AnyObject & Sendable
    /// The work whose call started this work.
    private let outer: AwaitedWork?
    private let hasEnded = Locked(false)
    /// The header fields of the last response to a call of the work.
    package let head = Locked<HTTPFields?>(nil)

    /// - Parameter context: the call that starts the work.
    package init(of subject: any AnyObject & Sendable, for context: CallContext) {
        self.subject = subject
        runtime = context.runtime
        outer = context.awaitedWork
    }

    /// Whether this work, or work that waits for it, belongs to such an object.
    package func covers(_ isSuch: (any AnyObject & Sendable) -> Bool) -> Bool { isSuch(subject) || outer?.covers(isSuch) == true }

    /// Performs the work. After it has ended, its client makes calls like any other.
    package func run<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        defer { hasEnded.withLock { $0 = true } }
        return try await Self.$current.withValue(self) { try await body() }
    }

    /// The work that the current task performs, or `nil` if it has ended.
    static var now: AwaitedWork? { current?.ifRunning }

    /// The work, or `nil` if it has ended.
    var ifRunning: AwaitedWork? { hasEnded.withLock { $0 } ? nil : self }
}
