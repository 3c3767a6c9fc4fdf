import HTTPTypes
import Tarmac
import TarmacStreams
import TarmacTesting
import TarmacTraffic
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
@testable import TarmacAuth
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox
@testable import TarmacTransfer

/// Law 10 for settings: a number, a time or a size that means nothing is told before anything is sent, and the longest and
/// largest values are no crash.
@Suite("Law 10: settings with wrong numbers", .timeLimit(.minutes(5)))
struct Law10SettingTests {
    private static let forever = Duration.seconds(Int64.max) * 4
    /// Nearly the longest that there is. Its seconds need more than 64 bits, and twice as much is an overflow.
    private static let longest = Duration.seconds(Int64.max) * 18
    private static let wrongSpans: [Duration] = [.seconds(-1), .nanoseconds(-1), .zero - forever, forever, .zero - longest, longest]

    private static func retry(_ change: @escaping @Sendable (inout RetryRule) -> Void) -> BadInput {
        .option("retry") { $0.retry = .exponential(configure: change) }
    }

    private static func hedge(_ rule: HedgeRule) -> BadInput { .option("hedge") { $0.hedge = rule } }
    private static func breaker(_ rule: CircuitBreakerRule) -> BadInput { .option("circuitBreaker") { $0.circuitBreaker = rule } }
    private static func rate(_ rule: RateLimitRule) -> BadInput { .option("rateLimit") { $0.rateLimit = rule } }
    private static func download(_ change: @escaping @Sendable (inout DownloadRule) -> Void) -> BadInput {
        .option("download") { $0.download = DownloadRule(change) }
    }
    private static func resume(_ change: @escaping @Sendable (inout ResumeRule) -> Void) -> BadInput {
        .option("resume") { $0.resume = .automatic(change) }
    }
    private static func events(_ change: @escaping @Sendable (inout EventStreamRule) -> Void) -> BadInput {
        .option("events") { $0.events = .reconnecting(change) }
    }

    private static let spans: [BadInput] = wrongSpans.flatMap { span in
        [
            retry { $0.base = span }, retry { $0.maximumDelay = span }, retry { $0.maximumRetryAfter = span }, hedge(.after(span)),
            breaker(.ratio(0.5, within: span)), breaker(.ratio(0.5, opensFor: span)), rate(.per(span, 1)), resume { $0.base = span },
            resume { $0.maximumDelay = span }, events { $0.delay = span }, events { $0.maximumDelay = span },
            .option("cache") { $0.cache = .ttl(span) },
        ]
    }

    private static let ratios: [BadInput] = [-0.1, 1.1, .nan, .infinity, -.infinity].flatMap { ratio in
        [
            retry { $0.budget.ratio = ratio }, hedge(.percentile(ratio)), hedge(.after(.seconds(1)) { $0.budget.ratio = ratio }), breaker(.ratio(ratio)),
        ]
    }

    private static let counts: [BadInput] = [-1, Int.min].flatMap { count in
        [
            retry { $0.maxAttempts = count }, retry { $0.budget.reserve = count }, hedge(.after(.seconds(1), atMost: count)),
            hedge(.percentile { $0.minimumSamples = count }), breaker(.ratio(0.5, of: count)), breaker(.ratio(0.5, probes: count)),
            rate(.perSecond(count)), rate(.perSecond(1, burst: count)), download { $0.parallelRanges = count },
            download { $0.minimumRange = Int64(count) }, download { $0.maximumSize = Int64(count) }, resume { $0.maxBarrenAttempts = count },
            events { $0.maximumRefusals = count }, .option("redirects") { $0.redirects = .follow(limit: count) },
            .option("maximumBodySize") { $0.maximumBodySize = count }, .option("maximumInflatedSize") { $0.maximumInflatedSize = count },
            .option("maximumRecordSize") { $0.maximumRecordSize = count },
            .option("requestCompression") { $0.requestCompression = .gzip(minimumSize: Int64(count)) },
        ]
    }

    private static let zeros: [BadInput] = [
        retry { $0.maxAttempts = 0 }, hedge(.after(.seconds(1), atMost: 0)), breaker(.ratio(0)), breaker(.ratio(0.5, of: 0)),
        breaker(.ratio(0.5, within: .zero)), rate(.perSecond(0)), rate(.per(.zero, 1)), rate(.perSecond(1, burst: 0)),
        download { $0.parallelRanges = 0 }, download { $0.minimumRange = 0 }, .option("cache") { $0.cache = .ttl(.zero) },
        .option("cache") { $0.cache = .http { $0.staleIfDisconnected = .seconds(-1) } },
    ]

    private static let all = [spans, ratios, counts, zeros].flatMap(\.self)

    /// A setting that is added and can refuse a value gets rows.
    @Test func everySettingThatCanRefuseAValueIsTried() throws {
        let folder = URL(fileURLWithPath: "\(#filePath)").deletingLastPathComponent().appendingPathComponent("../../../Sources")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains("/Options+") && $0.hasSuffix(".swift") }
        var refusing: Set<String> = []
        for file in files {
            let settings = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8).split(separator: " static let ").dropFirst()
            for setting in settings where setting.contains("$0.fault = ") {
                if let name = try /Setting(?:<.+>)?\("(\w+)"/.firstMatch(in: setting)?.output.1 { refusing.insert(String(name)) }
            }
        }
        let tried = (Self.all + BadInput.all + BadInput.times).filter { $0.code == .invalidOption }.map(\.named)
        #expect(refusing.count > 20 && refusing.subtracting(tried).isEmpty, "\(refusing.subtracting(tried))")
    }

    @Test(arguments: all)
    func aNumberThatMeansNothingIsNamedAndNothingIsSent(input: BadInput) async {
        let stub = StubTransport { _ in .status(.ok) }
        let client = Client(stub) { input.configure(&$0) }
        let error = await failure { try await client.get("/") }
        #expect(error?.code == input.code)
        #expect(error?.reason.contains(input.named) == true)
        #expect(stub.requests.isEmpty)
    }

    @Test func theLargestCountsAreNoCrash() async throws {
        let stub = StubTransport { _ in .status(.ok) }
        let client = Client(stub) {
            $0.maximumBodySize = .max
            $0.maximumInflatedSize = .max
            $0.maximumRecordSize = .max
            $0.requestCompression = .gzip(minimumSize: .max)
            $0.download = DownloadRule { ($0.minimumRange, $0.maximumSize) = (.max, .max) }
            $0.resume = .automatic { ($0.maxBarrenAttempts, $0.base, $0.maximumDelay) = (.max, .seconds(86_400), .seconds(86_400)) }
            $0.circuitBreaker = .ratio(1, of: .max, probes: .max)
            $0.redirects = .follow(limit: .max)
        }
        try await client.get("/")
        #expect(stub.requests.count == 1)
    }

    @Test(arguments: [\RefreshRule.leeway, \.backOff, \.maximumBackOff, \.coolDown, \.timeout] as [any WritableKeyPath<RefreshRule, Duration> & Sendable])
    func theRefreshOfATokenHasPossibleTimes(field: any WritableKeyPath<RefreshRule, Duration> & Sendable) {
        for span in Self.wrongSpans {
            var rule = RefreshRule()
            rule[keyPath: field] = span
            #expect(rule.fault != nil)
        }
        var longest = RefreshRule { $0.maximumAttempts = .max }
        longest[keyPath: field] = .seconds(3_155_695_200 as Int64)
        #expect(longest.fault == nil)
        #expect(longest.pause(after: .max - 1, retryAfter: nil, chance: 1) != nil)
    }

    private static let times: [any WritableKeyPath<OutboxRule, Duration> & Sendable] = [
        \.base, \.maximumDelay, \.maximumRetryAfter, \.lease, \.checkInterval,
    ]

    @Test(arguments: times)
    func anOutboxHasPossibleTimes(field: any WritableKeyPath<OutboxRule, Duration> & Sendable) {
        for span in Self.wrongSpans {
            let rule = OutboxRule { $0[keyPath: field] = span }
            #expect(rule.fault != nil)
            #expect(throws: TarmacError.self) {
                try Outbox(client: Client(StubTransport { _ in .status(.ok) }), store: MemoryOutboxStore(), rule: rule)
            }
        }
        for span in [Self.forever, Self.longest] { #expect(OutboxRule { $0.lifetime = span }.fault != nil) }
    }

    /// The largest base doubles without an overflow.
    @Test func thePausesOfAnOutboxHaveNoOverflow() {
        let rule = OutboxRule { ($0.base, $0.maximumDelay) = (.seconds(3_155_695_200 as Int64), .seconds(3_155_695_200 as Int64)) }
        #expect(rule.fault == nil)
        #expect(OutboxPolicy(rule: rule, retryableCodes: []).longestPause(after: .max) == .seconds(3_155_695_200 as Int64))
    }

    @Test func connectionsHavePossibleNumbers() {
        let table: [(ConnectionSettings, Bool)] = [
            (ConnectionSettings(), true), (.init { $0.idleConnectionTimeout = .seconds(-1) }, false), (.init { $0.idleConnectionTimeout = .zero }, true),
            (.init { $0.proxy = .http(host: "p", port: 0) }, false), (.init { $0.proxy = .http(host: "p", port: 65_536) }, false),
            (.init { $0.proxy = .http(host: "p", port: 8080) }, true), (.init { $0.proxy = .socks(host: "p", port: -1) }, false),
            (.init { $0.proxy = .socks(host: "p", port: .max) }, false), (.init { $0.idleConnectionTimeout = Self.forever }, false),
            (.init { $0.idleConnectionTimeout = Self.longest }, false), (.init { $0.idleConnectionTimeout = .zero - Self.longest }, false),
            (.init { $0.connectionLifetime = Self.longest }, false), (.init { $0.connectionLifetime = Self.forever }, false),
            (.init { $0.connectionLifetime = .zero - Self.longest }, false), (.init { $0.connectionLifetime = .zero }, false),
            (.init { $0.connectionLifetime = .seconds(3_155_695_200 as Int64) }, true), (.init { $0.connectionLifetime = .nanoseconds(1) }, true),
            (.init { $0.idleConnectionTimeout = .seconds(3_155_695_200 as Int64) }, true), (.init { $0.proxy = .http(host: "", port: 1) }, false),
            (.init { $0.proxy = .socks(host: "", port: 1) }, false), (.init { $0.unixSocket = "" }, false), (.init { $0.unixSocket = "/s" }, true),
            (.init { $0.proxy = .http(host: "p", port: 1, authorization: .init(user: "a:b", password: "c")) }, false),
            (.init { $0.proxy = .http(host: "p", port: 1, authorization: .init(user: "a", password: "b\r\n")) }, false),
            (.init { $0.proxy = .http(host: "p", port: 1, authorization: .init(user: "a", password: "b:c")) }, true),
        ]
        for (settings, isSound) in table { #expect((settings.fault == nil) == isSound) }
    }
}
