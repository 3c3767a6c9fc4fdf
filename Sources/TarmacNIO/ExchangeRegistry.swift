#if NIO
import NIOCore
import TarmacCore

/// Every exchange in the air, by number: what shutdown ends, and how a connection finds the exchange it is to carry.
final class ExchangeRegistry: Sendable {
    private struct State {
        var exchanges: [Int: WireExchange] = [:]
        var last = 0
        var isClosed = false
        var resumptions: [ObjectIdentifier: NIOLoopBound<ResumptionBatch>] = [:]
    }
    private let state = Locked(State())

    /// Adds an exchange and returns its number; `nil` once closed.
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

    /// Takes no more and returns those in the air; `nil` when closed before.
    func close() -> [WireExchange]? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            state.isClosed = true
            return Array(state.exchanges.values)
        }
    }

    /// The batch that the connections of an event loop share; called on that event loop.
    func resumptions(on eventLoop: any EventLoop) -> ResumptionBatch {
        state.withLock { state in
            let known = state.resumptions[ObjectIdentifier(eventLoop)]
            let batch = known ?? NIOLoopBound(ResumptionBatch(on: eventLoop), eventLoop: eventLoop)
            if known == nil { state.resumptions[ObjectIdentifier(eventLoop)] = batch }
            return batch
        }.value
    }

    var count: Int { state.withLock { $0.exchanges.count } }
}
#endif
