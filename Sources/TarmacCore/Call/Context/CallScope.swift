/// Several calls that end as one: a batch, a chain, a graph, or what an app does as a whole.
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

    /// A value that a room attaches.
    package subscript<Value: Attachment>(type: Value.Type) -> Value? { attached.withLock { $0[type] } }

    package func attach<Value: Attachment>(_ value: Value) { attached.withLock { $0[Value.self] = value } }

    // MARK: Cancelling

    /// Whether it or a whole it is part of was cancelled: no further call of it flies.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } || parent?.isCancelled ?? false }

    package func cancel() {
        let actions = state.withLock { state in
            state.isCancelled = true
            defer { state.onCancel = [] }
            return state.onCancel
        }
        for action in actions { action() }
    }

    /// Runs `action` when it is cancelled, or at once if it was.
    package func whenCancelled(_ action: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled, !state.isOver { state.onCancel.append(action) }
            return state.isCancelled
        }
        if isCancelled { action() }
    }

    /// Whether it is the given one or part of it.
    package func isPart(of scope: CallScope) -> Bool { self === scope || parent?.isPart(of: scope) ?? false }

    /// Ends it: cancelling it does nothing any more.
    package func end() {
        state.withLock { state in
            state.isOver = true
            state.onCancel = []
        }
    }
}
