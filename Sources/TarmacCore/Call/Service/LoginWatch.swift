@_spi(TarmacRooms) import TarmacHTTP

/// Tells the rooms that keep stored calls when a user has logged in or the environment has changed.
package final class LoginWatch: ClientState {
    private struct State {
        var observers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastNumber = 0
        var isClosed = false
    }
    private let state = Locked(State())

    package init(_ client: ClientScope) {}

    /// Returns the changes from now on. A slow reader gets one for several.
    package func changes() -> AsyncStream<Void> {
        let (stream, observer) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state -> Int? in
            if state.isClosed { return nil }
            state.lastNumber += 1
            state.observers[state.lastNumber] = observer
            return state.lastNumber
        }
        guard let number else {
            observer.finish()
            return stream
        }
        observer.onTermination = { [weak self] _ in self?.forget(number) }
        return stream
    }

    private func forget(_ number: Int) { _ = state.withLock { $0.observers.removeValue(forKey: number) } }

    /// Notes a change.
    package func note() { for observer in state.withLock({ Array($0.observers.values) }) { observer.yield() } }

    package func close() async {
        let observers = state.withLock { state in
            state.isClosed = true
            return Array(state.observers.values)
        }
        for observer in observers { observer.finish() }
    }
}
