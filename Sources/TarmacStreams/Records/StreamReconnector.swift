import HTTPTypes
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacCore
import TarmacSupport

/// Connects a stream again and again, as ``ReconnectPolicy`` decides.
struct StreamReconnector {
    let flight: Flight
    let kind: StreamKind

    private var context: CallContext { flight.context }
    private var rule: EventStreamRule { context.option(Settings.events) }

    /// Passes one connection after another to the reader until the stream ends.
    func run(_ first: StreamOpening?, _ handover: StreamHandover) async throws {
        var opening = first
        while let current = opening {
            switch try await handover.offer(current, for: context) {
            case .finished: return
            case .ended(let resumption): opening = try await reopen(after: nil, resumption)
            case .failed(let error as TarmacError, let resumption): opening = try await reopen(after: error, resumption)
            case .failed(let error, _): throw error
            }
        }
    }

    private func reopen(after error: TarmacError?, _ resumption: StreamResumption) async throws -> StreamOpening? {
        // The slot is free between connections.
        flight.endStream()
        guard kind.isEvents, var request = context.request else {
            if let error { throw error }
            return nil
        }
        var failure = error, refusals = 0
        while true {
            let situation = ReconnectPolicy.Situation(
                request: request, failure: failure, refusals: refusals, resumption: resumption, retryAfter: failure.flatMap(retryAfter),
                chance: context.randomness.fraction())
            switch ReconnectPolicy(rule: rule).decide(situation) {
            case .end: return nil
            case .fail(let error): throw error
            case .reconnect(let pause): try await wait(pause, because: failure)
            }
            try request.resume(after: resumption.lastEventID)
            context.beginAnew()
            do { return try await open(request) } catch let error as TarmacError {
                flight.endStream()
                failure = error
                refusals += 1
            }
        }
    }

    private func open(_ request: Request) async throws -> StreamOpening? {
        try await kind.opening(of: try await flight.answer(to: request), context: context)
    }

    /// Pauses before a reconnection. The call's deadline continues to run.
    private func wait(_ pause: Duration, because failure: TarmacError?) async throws {
        context.emit(StreamEvent.reconnecting(after: pause, because: failure))
        let end = context.time.moment + pause
        try await context.pause(until: context.deadline.map { min($0, end) } ?? end)
        try context.checkDeadline(.waiting)
        try context.checkCancellation()
    }

    private func retryAfter(_ failure: TarmacError) -> Duration? {
        failure.response.flatMap { RetryAfter.duration($0.headers, now: context.time.date.timeIntervalSince1970) }
    }
}
