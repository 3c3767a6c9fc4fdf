@_spi(TarmacRooms) import TarmacHTTP

/// Several calls that end together: a batch, a chain, a graph, or a unit of work of the app.
package final class CallScope: Sendable {
    package let summary: CallSummary
    package let parent: CallScope?
    package let owner: CallOwner?
    // Set once, before any call of the scope starts.
    private let attached = Locked(Attachments())
    private let state = Locked(State())

    private struct State {
        var isCancelled = false
        var isOver = false
        var onCancel: [@Sendable () -> Void] = []
    }

    package init(_ summary: CallSummary, in binding: CallBinding) {
        self.summary = summary
        parent = binding.scope
        owner = binding.owner
    }

    /// A value that another module attaches.
    package subscript<Value: Attachment>(type: Value.Type) -> Value? { attached.withLock { $0[type] } }

    package func attach<Value: Attachment>(_ value: Value) { attached.withLock { $0[Value.self] = value } }

    // MARK: Cancelling

    /// Whether the scope, or one it is part of, was cancelled. Then no further call of it starts.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } || parent?.isCancelled ?? false }

    package func cancel() {
        let actions = state.withLock { state in
            state.isCancelled = true
            defer { state.onCancel = [] }
            return state.onCancel
        }
        for action in actions { action() }
    }

    /// Runs `action` when the scope is cancelled, or at once if it already was.
    package func whenCancelled(_ action: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled, !state.isOver { state.onCancel.append(action) }
            return state.isCancelled
        }
        if isCancelled { action() }
    }

    /// Whether this is the given scope or part of it.
    package func isPart(of scope: CallScope) -> Bool { self === scope || parent?.isPart(of: scope) ?? false }

    /// Ends the scope. Cancelling it has no further effect.
    package func end() {
        state.withLock { state in
            state.isOver = true
            defer { state.onCancel = [] }
            return state.onCancel
        }
    }
}
