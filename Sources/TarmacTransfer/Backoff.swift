#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
package import TarmacCore
import TarmacSupport
import TarmacResilience

/// Waits between the attempts of an interrupted transfer.
package struct Backoff {
    private let context: CallContext
    private let policy: InterruptionPolicy
    /// Whether the call has one stream at a time, which ends with the interruption.
    private let endsStream: Bool
    private var highest: Int64
    /// The number of interruptions in a row without new bytes.
    private var barren = 0
    /// The number of requests that ended before the content did.
    private var cuts = 0
    private let start: Int64
    private var excess: Int { max(0, cuts - InterruptionPolicy.allowance(for: highest - start)) }

    package init(_ context: CallContext, _ rule: ResumeRule, held: Int64, endsStream: Bool = true) {
        self.endsStream = endsStream
        self.context = context
        policy = InterruptionPolicy(rule: rule, maximumRetryAfter: context.option(Settings.retry).maximumRetryAfter)
        (highest, start) = (held, held)
    }

    /// Notes the progress of the transfer; new bytes reset the count of interruptions.
    package mutating func progressed(to held: Int64) {
        guard held > highest else { return }
        (highest, barren) = (held, 0)
    }

    /// Notes a response with a part of the missing bytes. Pauses, and throws the failure, if there were too many with few
    /// bytes.
    package mutating func passed(to held: Int64, elseThrow failure: @autoclosure () -> TarmacError) async throws {
        progressed(to: held)
        if cuts < InterruptionPolicy.allowance(for: highest - start) { cuts += 1 } else { try await wait(after: failure(), isTransient: true) }
    }

    /// Waits until the transfer may continue; throws the failure if it may not.
    ///
    /// - Parameter isTransient: Whether the failure is temporary, if its code does not decide that.
    package mutating func wait(after failure: TarmacError, isTransient: Bool? = nil) async throws {
        if endsStream {
            context.endStream()
            context.beginAnew()
        }
        cuts += 1
        let decision = policy.decide(
            failure, barren: barren, excess: excess, chance: context.randomness.fraction(), isTransient: isTransient,
            retryAfter: retryAfter(failure), remaining: context.deadline.map { $0 - context.time.moment })
        barren += 1
        switch decision {
        case .fail:
            // Not repeated by a transfer that this one is a part of.
            if excess > InterruptionPolicy.maximumExcess { throw TransferFault(failure) }
            throw failure
        case .resume(let pause):
            context.emit(ResilienceEvent.retrying(after: pause, because: failure))
            if pause > .zero { try await context.pause(until: context.time.moment + pause) }
        }
    }

    private func retryAfter(_ failure: TarmacError) -> Duration? {
        failure.response.flatMap { RetryAfter.duration($0.headers, now: context.time.date.timeIntervalSince1970) }
    }
}
