import HTTPTypes
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience
import TarmacTraffic

/// When the failure of a shared request is that of the call that began it alone.
@Suite("Coalescing: the end of the call that leads")
struct SharedEndPolicyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let failure: TarmacError
        /// Sets the lower settings.
        let lower: @Sendable (inout Options) -> Void
        let higher: @Sendable (inout Options) -> Void

        init(
            _ name: String, _ failure: TarmacError, _ lower: @escaping @Sendable (inout Options) -> Void,
            higher: @escaping @Sendable (inout Options) -> Void = { _ in }
        ) { (testDescription, self.failure, self.lower, self.higher) = (name, failure, lower, higher) }
    }

    private static func status(_ code: Int) -> TarmacError {
        TarmacError(.unacceptableStatus, phase: .judging).with(response: ResponseSnapshot(status: .init(code: code), headers: [:], body: .empty))
    }

    private static let thrice: @Sendable (inout Options) -> Void = { $0.retry = .exponential(maxAttempts: 3) }

    private func policy(_ configure: (inout Options) -> Void) throws -> SharedEndPolicy {
        var values = OptionValues.standard
        for entry in Options(configure).entries.values { entry.apply(to: &values) }
        return SharedEndPolicy(values)
    }

    static let cases = [
        Case("timeout", TarmacError(.timeout, phase: .waiting)) { $0.timeout = .seconds(5) },
        Case("no timeout", TarmacError(.timeout, phase: .waiting), { $0.timeout = .seconds(900) }, higher: { $0.timeout = .unlimited }),
        Case("connectTimeout", TarmacError(.connectTimeout, phase: .connecting)) { $0.connectTimeout = .seconds(1) },
        Case("idleTimeout", TarmacError(.idleTimeout, phase: .receiving)) { $0.idleTimeout = .seconds(1) },
        Case("queueTimeout", TarmacError(.queueTimeout, phase: .queued)) { $0.queueTimeout = .seconds(1) },
        Case("the limit of slots", TarmacError(.queueTimeout, phase: .queued), { _ in }, higher: { $0.queueTimeout = .unlimited }),
        Case("rate limit", TarmacError(.rateLimited, phase: .queued)) { $0.deadline = .seconds(1) },
        Case("no retry", status(503), { $0.retry = .never }, higher: thrice),
        Case("fewer attempts", TarmacError(.connectionLost, phase: .waiting), { $0.retry = .exponential(maxAttempts: 2) }, higher: thrice),
        Case("fewer statuses", status(423), thrice, higher: { $0.retry = .exponential { $0.statuses.insert(423) } }),
        Case("a shorter Retry-After", status(503), { $0.retry = .exponential { $0.maximumRetryAfter = .seconds(1) } }, higher: thrice),
        Case("a pause past the deadline", status(503), { ($0.retry, $0.deadline) = (.exponential(), .seconds(1)) }, higher: thrice),
        Case("no network", TarmacError(.cannotFindHost, phase: .connecting), { _ in }, higher: { $0.waitsForConnectivity = true }),
    ]

    @Test(arguments: cases) func aCallGoesOnWhereOneWithLowerSettingsEnds(example: Case) throws {
        let lower = try policy(example.lower), higher = try policy(example.higher)
        #expect(higher.goesOn(after: example.failure, of: lower))
        #expect(!lower.goesOn(after: example.failure, of: higher))
        // Calls with the same settings end together: a host that is down is not asked once for each.
        #expect(!higher.goesOn(after: example.failure, of: higher) && !lower.goesOn(after: example.failure, of: lower))
    }

    /// No attempt of another call would change it.
    @Test func aFailureThatLastsIsForAll() throws {
        let lower = try policy { ($0.timeout, $0.deadline, $0.retry) = (.seconds(1), .seconds(1), .never) }
        let higher = try policy {
            ($0.timeout, $0.waitsForConnectivity) = (.unlimited, true)
            Self.thrice(&$0)
        }
        let lasting = [Self.status(404), Self.status(409), TarmacError(.untrustedCertificate, phase: .connecting), TarmacError(.clientShutDown)]
        for failure in lasting { #expect(!higher.goesOn(after: failure, of: lower), "\(failure)") }
        // A longer time limit changes nothing about an answer.
        #expect(try !policy { $0.timeout = .unlimited }.goesOn(after: Self.status(503), of: lower))
    }
}
