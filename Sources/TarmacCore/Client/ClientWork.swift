/// Any async work on a client, such as several calls, as one ``Work``.
///
/// ```swift
/// client.start(ClientWork { try await $0.send(GetUser(id: 7)).friends }, owner: self) { owner, result in owner.show(result) }
/// ```
public struct ClientWork<Value: Sendable>: Work {
    public typealias WorkProgress = Never

    private let name: String
    private let body: @Sendable (Client) async throws -> Value

    /// Creates the work.
    ///
    /// - Parameters:
    ///   - name: the name in the errors of groups. Default: `ClientWork`.
    ///   - body: does the work with the given client. An error that is not a `TarmacError` becomes the cause of
    ///     `TarmacError(.callerFailed)`.
    public init(named name: String = "ClientWork", _ body: @escaping @Sendable (Client) async throws -> Value) {
        self.name = name
        self.body = body
    }

    public var _plan: WorkPlan<Value, Never> {
        WorkPlan(name) { [body] run, _ in WorkResult(try await body(run.client)) }
    }
}
