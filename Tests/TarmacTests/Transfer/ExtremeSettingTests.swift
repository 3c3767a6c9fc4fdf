import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacStreams
import TarmacTraffic

/// Settings at the ends of their range: a call ends with a value or an error, and never with the process.
@Suite("Extreme settings", .timeLimit(.minutes(5)))
struct ExtremeSettingTests {
    struct Setting<Value: Sendable>: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let set: @Sendable (inout Options, Value) -> Void
        init(_ name: String, _ set: @escaping @Sendable (inout Options, Value) -> Void) { (testDescription, self.set) = (name, set) }
    }

    static let spans: [Duration] = [
        .zero, Duration(secondsComponent: 0, attosecondsComponent: 1), Duration(secondsComponent: 0, attosecondsComponent: 9),
        Duration(secondsComponent: 0, attosecondsComponent: -1), .nanoseconds(1), .seconds(1), .seconds(86_400), .seconds(3_155_695_200 as Int64),
        .seconds(Int64.max), .seconds(Int64.min), .seconds(Int64.max) * 18, .seconds(Int64.min) * 18,
    ]

    static let durations: [Setting<Duration>] = [
        Setting("timeout") { $0.timeout = .duration($1) }, Setting("connectTimeout") { $0.connectTimeout = .duration($1) },
        Setting("queueTimeout") { $0.queueTimeout = .duration($1) }, Setting("idleTimeout") { $0.idleTimeout = .duration($1) },
        Setting("deadline") { $0.deadline = .duration($1) }, Setting("slowCall") { $0.slowCall = .duration($1) },
        Setting("retry.base") { $0.retry = .exponential(maxAttempts: 3, base: $1) },
        Setting("retry.maximumDelay") { options, span in options.retry = .exponential(maxAttempts: 3) { $0.maximumDelay = span } },
        Setting("retry.maximumRetryAfter") { options, span in options.retry = .exponential(maxAttempts: 3) { $0.maximumRetryAfter = span } },
        Setting("hedge") { $0.hedge = .after($1) },
        Setting("breaker.window") { $0.circuitBreaker = .ratio(0.5, of: 1, within: $1) },
        Setting("breaker.openDuration") { $0.circuitBreaker = .ratio(0.5, of: 1, opensFor: $1) },
        Setting("rateLimit") { $0.rateLimit = .per($1, 3, burst: 2) }, Setting("cache") { $0.cache = .ttl($1) },
        Setting("cache.staleIfDisconnected") { options, span in options.cache = .ttl(.seconds(1)) { $0.staleIfDisconnected = span } },
        Setting("resume.base") { options, span in options.resume = .automatic { ($0.base, $0.maxBarrenAttempts) = (span, 2) } },
        Setting("resume.maximumDelay") { options, span in options.resume = .automatic { ($0.maximumDelay, $0.maxBarrenAttempts) = (span, 2) } },
        Setting("events.delay") { options, span in
            var rule = EventStreamRule.reconnecting
            rule.delay = span
            options.events = rule
        },
        Setting("events.maximumDelay") { options, span in
            var rule = EventStreamRule.reconnecting
            rule.maximumDelay = span
            options.events = rule
        },
    ]

    static let integers: [Setting<Int>] = [
        Setting("retry.maxAttempts") { $0.retry = .exponential(maxAttempts: $1, base: .zero) },
        Setting("retry.reserve") { options, count in options.retry = .exponential(maxAttempts: 3) { $0.budget = .init(ratio: 0.2, reserve: count) } },
        Setting("hedge") { $0.hedge = .after(.zero, atMost: $1) },
        Setting("breaker.minimumRequests") { $0.circuitBreaker = .ratio(0.5, of: $1) },
        Setting("breaker.probes") { $0.circuitBreaker = .ratio(0.5, of: 1, probes: $1) },
        Setting("rateLimit.count") { $0.rateLimit = .perSecond($1) }, Setting("rateLimit.burst") { $0.rateLimit = .perSecond(5, burst: $1) },
        Setting("cache.version") { $0.cache = .ttl(.seconds(1), version: $1) }, Setting("maximumBodySize") { $0.maximumBodySize = $1 },
        Setting("maximumInflatedSize") { $0.maximumInflatedSize = $1 }, Setting("maximumRecordSize") { $0.maximumRecordSize = $1 },
        Setting("resume.maxBarrenAttempts") { options, count in
            options.resume = .automatic { ($0.base, $0.maxBarrenAttempts) = (.zero, min(count, 3)) }
        },
        Setting("download.parallelRanges") { options, count in
            options.download = DownloadRule { ($0.parallelRanges, $0.minimumRange) = (count, 1000) }
        },
        Setting("download.minimumRange") { options, count in
            options.download = DownloadRule { ($0.parallelRanges, $0.minimumRange) = (4, Int64(count)) }
        },
        Setting("download.maximumSize") { options, count in options.download = DownloadRule { $0.maximumSize = Int64(count) } },
    ]

    static let fractions: [Setting<Double>] = [
        Setting("timeout") { $0.timeout = .seconds($1) }, Setting("connectTimeout") { $0.connectTimeout = .seconds($1) },
        Setting("queueTimeout") { $0.queueTimeout = .seconds($1) }, Setting("idleTimeout") { $0.idleTimeout = .seconds($1) },
        Setting("deadline") { $0.deadline = .seconds($1) }, Setting("slowCall") { $0.slowCall = .seconds($1) },
        Setting("retry.ratio") { options, part in options.retry = .exponential(maxAttempts: 3) { $0.budget = .init(ratio: part, reserve: 1) } },
        Setting("hedge") { $0.hedge = .percentile($1) }, Setting("breaker") { $0.circuitBreaker = .ratio($1, of: 1) },
    ]

    // MARK: A whole call

    /// Fails twice, then answers; breaks off the first download.
    private func stub() -> StubTransport {
        let count = Locked(0), file = StubFile(noise(5000))
        file.breakOff(after: [2000])
        return StubTransport { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if request.url.path == "/file" { return file.answer(request) }
            if number == 1 { return .status(.serviceUnavailable, headers: [.retryAfter: "1"]) }
            if number == 2 { throw TarmacError(.connectionLost, phase: .waiting, "the test says so") }
            return .text(String(repeating: "x", count: 2000))
        }
    }

    /// Sends calls and lets every pause go by.
    private func call(_ configure: @escaping @Sendable (inout Options) -> Void) async throws {
        let time = ManualTime(), isDone = Locked(false), client = Client(stub(), time: time)
        try await withFolder { folder in
            let work = Task {
                defer { isDone.withLock { $0 = true } }
                for _ in 0..<4 {
                    do { _ = try await client.get("/", as: String.self, configure: configure) } catch { #expect(error is TarmacError) }
                }
                do { try await client.send(Download(.get("/file"), to: "\(folder)/f"), configure: configure) } catch { #expect(error is TarmacError) }
            }
            await eventually {
                if let next = time.nextDeadline { time.advance(by: max(next, .zero)) }
                return isDone.withLock { $0 }
            }
            await work.value
        }
    }

    @Test(arguments: durations) func extremeDurationsEndInErrors(setting: Setting<Duration>) async throws {
        for span in Self.spans { try await call { setting.set(&$0, span) } }
    }

    @Test(arguments: integers) func extremeIntegersEndInErrors(setting: Setting<Int>) async throws {
        for number in [.min, -1, 0, 1, 2, 1 << 31, .max - 1, .max] { try await call { setting.set(&$0, number) } }
    }

    @Test(arguments: fractions) func extremeFractionsEndInErrors(setting: Setting<Double>) async throws {
        let numbers: [Double] = [-.infinity, -1, -0.0, 0, .leastNonzeroMagnitude, 0.5, 1, 9.3e18, .greatestFiniteMagnitude, .infinity, .nan]
        for number in numbers { try await call { setting.set(&$0, number) } }
    }
}
