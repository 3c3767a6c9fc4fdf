import HTTPTypes
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacSupport
import TarmacTraffic
@testable import TarmacTransfer

@Suite("Ranges")
struct RangePolicyTests {
    static let fields: [(String?, ContentRange?)] = [
        ("bytes 0-0/1", .part(0..<1, total: 1)), ("bytes 5-9/*", .part(5..<10, total: nil)), ("BYTES 5-9/10", .part(5..<10, total: 10)),
        ("bytes */7", .unsatisfied(total: 7)), (nil, nil), ("", nil), ("bytes", nil), ("bytes 5-4/10", nil), ("bytes 5-10/10", nil), ("bytes -5/10", nil),
        ("bytes 5-/10", nil), ("bytes */*", nil), ("bytes 1-2", nil), ("bytes 1-2/3/4", nil), ("bytes +1-2/3", nil), ("lines 1-2/3", nil),
        ("bytes 0-9223372036854775807/*", nil), ("bytes 0-9223372036854775808/*", nil),
    ]

    @Test(arguments: fields)
    func contentRangeIsReadStrictly(text: String?, range: ContentRange?) {
        #expect(ContentRange(text) == range)
    }

    @Test func whatIsMissingIsAskedForWhereItCanBeReliedOn() {
        let policy = RangePolicy(), strong: HTTPFields = [.eTag: "\"1\"", .contentLength: "100"]
        let known = RangeEntity(strong, isWhole: true), open = RangeEntity(strong, isWhole: false), weak = RangeEntity([.eTag: "W/\"1\""], isWhole: true)
        let table: [(Int64, RangeEntity?, RangePolicy.Ask)] = [
            (0, known, .whole), (40, known, .from(40)), (99, known, .from(99)), (100, known, .from(99)), (101, known, .whole), (40, open, .from(40)),
            (40, weak, .whole), (40, nil, .whole),
        ]
        for (held, entity, ask) in table { #expect(policy.ask(held: held, of: entity) == ask) }
        #expect(RangePolicy.Ask.from(40, to: 50).fields(known.validator) == [.range: "bytes=40-49", .ifRange: "\"1\""])
        #expect(RangePolicy.Ask.from(40).fields(nil) == [.range: "bytes=40-"])
        #expect(RangePolicy.Ask.whole.fields(known.validator).isEmpty)
    }

    private static let heads: [(headers: HTTPFields, isWhole: Bool)] = [
        ([.eTag: "\"1\"", .contentLength: "100"], true), ([.contentLength: "100"], true),
        ([.eTag: "\"2\"", .contentLength: "120"], true), ([.eTag: "\"2\""], true), ([.contentLength: "120"], true),
        ([.eTag: "\"1\"", .contentLength: "120"], true),
        ([.eTag: "\"1\"", .contentLength: "60"], false), ([.eTag: "\"2\"", .contentLength: "60"], false), ([.contentLength: "60"], false),
        ([.eTag: "W/\"1\"", .contentLength: "60"], false), ([.eTag: "\"1\""], false), ([:], false),
        ([.eTag: "\"1\"", .contentRange: "bytes 40-99/100"], false), ([.eTag: "\"2\"", .contentRange: "bytes 40-99/100"], false),
        ([.contentLength: "100", .contentRange: "bytes 40-99/100"], false),
    ]

    /// The rest of the file as if it were the whole: taken for that, the download would end with half of the file.
    @Test(arguments: heads) func aRangeIsAnsweredWith200OnlyByWhatIsShownToBeTheWhole(headers: HTTPFields, isWhole: Bool) throws {
        #expect(try self.isWhole(.ok, headers, .from(40), Self.known) == isWhole)
        #expect(try self.isWhole(.nonAuthoritativeInformation, headers, .from(40), Self.known) == isWhole)
        #expect(try self.isWhole(.ok, headers, .whole, Self.known) && self.isWhole(.nonAuthoritativeInformation, headers, .whole, Self.known))
    }

    @Test func aFileOfUnknownLengthIsAskedForAgain() throws {
        let open = RangeEntity([.eTag: "\"1\""], isWhole: true)
        #expect(try !isWhole(.ok, [.eTag: "\"1\"", .contentLength: "60"], .from(40), open))
        #expect(try isWhole(.ok, [.eTag: "\"2\"", .contentLength: "60"], .from(40), open))
        // The first of several parts.
        #expect(try !isWhole(.ok, [.eTag: "\"1\"", .contentLength: "40"], .from(0, to: 40), nil))
        #expect(try !isWhole(.ok, [.eTag: "\"1\""], .from(0, to: 40), nil))
        #expect(try isWhole(.ok, [.eTag: "\"1\"", .contentLength: "100"], .from(0, to: 40), nil))
    }

    /// RFC 9110 §8.8.3.2. Swift's own comparison also holds for canonically equivalent texts.
    @Test func validatorsAreComparedByBytes() {
        let one = RangeEntity([.eTag: "\"\u{E9}\""], isWhole: false), other = RangeEntity([.eTag: "\"e\u{301}\""], isWhole: false)
        #expect(one != other && one == RangeEntity([.eTag: "\"\u{E9}\""], isWhole: false))
        #expect(RangeEntity.Validator.tag("a") != .date("a"))
    }

    private static let known = RangeEntity([.eTag: "\"1\"", .contentLength: "100"], isWhole: true)

    private func isWhole(_ status: HTTPResponse.Status, _ headers: HTTPFields, _ ask: RangePolicy.Ask, _ entity: RangeEntity?) throws -> Bool {
        let response = Response(status: status, headers: headers, url: try HTTPURL("https://s.example/f"))
        if case .whole = RangePolicy().judge(response, to: ask, held: 40, of: entity) { return true }
        return false
    }

    @Test func interruptionsAreForgivenAsTheRuleSays() {
        let policy = InterruptionPolicy(rule: .automatic { ($0.base, $0.maximumDelay, $0.maxBarrenAttempts) = (.seconds(1), .seconds(3), 4) })
        let lost = TarmacError(.connectionLost), wrong = TarmacError(.digestMismatch)
        #expect(policy.decide(lost, barren: 0, chance: 1) == .resume(after: .zero))
        #expect((1...5).map { policy.decide(lost, barren: $0, chance: 1) } == [1, 2, 3, 3].map { .resume(after: .seconds($0)) } + [.fail])
        #expect(policy.decide(lost, barren: 1, chance: 0) == .resume(after: .milliseconds(500)))
        #expect(policy.decide(wrong, barren: 0, chance: 1) == .fail)
        for code in [TarmacError.Code.circuitOpen, .rateLimited, .refreshFailed, .transportFailed, .malformedResponse] {
            #expect(policy.decide(TarmacError(code), barren: 0, chance: 1) == .resume(after: .zero), "\(code)")
        }
        for code in [TarmacError.Code.deadlineExceeded, .queueTimeout, .loggedOut, .clientShutDown] {
            #expect(policy.decide(TarmacError(code), barren: 0, chance: 1) == .fail, "\(code)")
        }
        #expect(policy.decide(wrong, barren: 0, chance: 1, isTransient: true) == .resume(after: .zero))
    }
}
