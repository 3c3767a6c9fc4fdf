#if NIO
import NIOCore
@_spi(TarmacRooms) import TarmacCore

/// The exchanges in progress by number. A shutdown ends them, and a connection finds its exchange here.
final class ExchangeRegistry: Sendable {
    private struct State {
        var exchanges: [Int: WireExchange] = [:]
        var last = 0
        var isClosed = false
        var resumptions: [ObjectIdentifier: NIOLoopBound<ResumptionBatch>] = [:]
    }
    private let state = Locked(State())

    /// Adds an exchange and returns its number, or `nil` after the registry was closed.
    func add(_ exchange: WireExchange) -> Int? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            state.last += 1
            state.exchanges[state.last] = exchange
            return state.last
        }
    }

    func remove(_ number: Int) {
        _ = state.withLock { $0.exchanges.removeValue(forKey: number) }
    }

    func exchange(_ number: Int) -> WireExchange? { state.withLock { $0.exchanges[number] } }

    /// Closes the registry and returns the exchanges in progress. `nil` if it was closed before.
    func close() -> [WireExchange]? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            state.isClosed = true
            return Array(state.exchanges.values)
        }
    }

    /// Returns the batch that the connections of an event loop share. Call it on that event loop.
    func resumptions(on eventLoop: any EventLoop) -> ResumptionBatch {
        state.withLock { state in
            let known = state.resumptions[ObjectIdentifier(eventLoop)]
            let batch = known ?? NIOLoopBound(ResumptionBatch(on: eventLoop), eventLoop: eventLoop)
            if known == nil { state.resumptions[ObjectIdentifier(eventLoop)] = batch }
            return batch
        }.value
    }

    /// Whether an exchange waits for a connection.
    var hasWaiting: Bool { state.withLock { Array($0.exchanges.values) }.contains { $0.state.withLock(\.isWaiting) } }

    var count: Int { state.withLock { $0.exchanges.count } }
}
#endif
