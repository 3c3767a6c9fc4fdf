import TarmacCore
import TarmacResolver
import Testing

struct NameCacheTests {
    private static let start = Moment.now
    private static let addresses = ["1.2.3.4"].compactMap { HostAddress($0) }

    private static func cache(_ life: Duration, _ addresses: [HostAddress] = addresses) -> NameCache {
        var cache = NameCache()
        cache.keep(NameAnswer(addresses, life: life), for: "shop.example", at: start)
        return cache
    }

    private static func decision(_ cache: NameCache, after time: Duration) -> NameCache.Decision {
        var cache = cache
        return cache.decide("shop.example", at: start + time)
    }

    @Test func answerCountsForItsLifeAndServesLaterIfThereIsNoOther() {
        let cache = Self.cache(.seconds(60))
        #expect(Self.decision(cache, after: .seconds(59)) == .use(Self.addresses))
        #expect(Self.decision(cache, after: .seconds(60)) == .ask(old: Self.addresses))
        #expect(Self.decision(cache, after: .seconds(3_659)) == .ask(old: Self.addresses))
        #expect(Self.decision(cache, after: .seconds(3_660)) == .ask(old: []))
    }

    @Test func lifeHasBounds() {
        #expect(Self.decision(Self.cache(.zero), after: .milliseconds(999)) == .use(Self.addresses))
        #expect(Self.decision(Self.cache(.seconds(0x7FFF_FFFF)), after: .seconds(86_400)) == .ask(old: Self.addresses))
    }

    @Test func thatThereIsNoneIsRememberedBriefly() {
        let none = Self.cache(.seconds(900), [])
        #expect(Self.decision(none, after: .seconds(29)) == .hasNone)
        #expect(Self.decision(none, after: .seconds(30)) == .ask(old: []))
    }

    /// As after a resolver that failed beside one that knows no address.
    @Test func answerThatThereIsNoneWithoutALifeIsNotRemembered() {
        #expect(Self.decision(Self.cache(.zero, []), after: .zero) == .ask(old: []))
    }

    @Test func failureIsNotRemembered() {
        var cache = NameCache()
        #expect(cache.fail("shop.example", at: Self.start).isEmpty && cache.count == 0)
        #expect(Self.decision(cache, after: .zero) == .ask(old: []))
    }

    @Test func refreshThatFailsLeavesTheAnswerAndPauses() {
        var cache = Self.cache(.seconds(60))
        #expect(cache.fail("shop.example", at: Self.start + .seconds(100)) == Self.addresses)
        #expect(Self.decision(cache, after: .seconds(129)) == .use(Self.addresses))
        #expect(Self.decision(cache, after: .seconds(130)) == .ask(old: Self.addresses))
        #expect(Self.decision(cache, after: .seconds(3_660)) == .ask(old: []))
    }

    /// A request whose addresses lead nowhere asks again after an answer that is old or a part.
    @Test func onlyAWholeAnswerThatIsFreshIsSure() {
        var cache = Self.cache(.seconds(60))
        #expect(cache.sure("shop.example", at: Self.start) == Self.addresses)
        #expect(cache.sure("shop.example", at: Self.start + .seconds(60)) == nil && cache.sure("other.example", at: Self.start) == nil)
        _ = cache.fail("shop.example", at: Self.start + .seconds(61))
        #expect(cache.sure("shop.example", at: Self.start + .seconds(62)) == nil)
        cache.keep(NameAnswer(Self.addresses, life: .seconds(900), isWhole: false), for: "shop.example", at: Self.start)
        #expect(cache.sure("shop.example", at: Self.start) == nil)
        #expect(Self.decision(cache, after: .seconds(29)) == .use(Self.addresses))
        #expect(Self.decision(cache, after: .seconds(30)) == .ask(old: Self.addresses))
    }

    @Test func answerThatThereIsNoneReplacesOne() {
        var cache = Self.cache(.seconds(60))
        cache.keep(NameAnswer([], life: .seconds(5)), for: "shop.example", at: Self.start + .seconds(61))
        #expect(Self.decision(cache, after: .seconds(62)) == .hasNone)
    }

    @Test func cacheIsBoundedAndKeepsWhatWasUsedLast() {
        var cache = NameCache()
        for index in 0..<2_000 {
            let now = Self.start + .milliseconds(index)
            cache.keep(NameAnswer(Self.addresses, life: .seconds(60)), for: "\(index).example", at: now)
            #expect(cache.decide("0.example", at: now) == .use(Self.addresses))
        }
        #expect(cache.count == NameCache.limit)
    }
}
