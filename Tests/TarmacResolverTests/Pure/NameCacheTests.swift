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

    @Test func answerCountsForItsLifeAndIsThenUsedWhileItIsRefreshed() {
        let cache = Self.cache(.seconds(60))
        #expect(Self.decision(cache, after: .seconds(59)) == .use(Self.addresses))
        #expect(Self.decision(cache, after: .seconds(60)) == .useAndRefresh(Self.addresses))
        #expect(Self.decision(cache, after: .seconds(3_659)) == .useAndRefresh(Self.addresses))
        #expect(Self.decision(cache, after: .seconds(3_660)) == .ask)
    }

    @Test func lifeHasBounds() {
        #expect(Self.decision(Self.cache(.zero), after: .milliseconds(999)) == .use(Self.addresses))
        #expect(Self.decision(Self.cache(.seconds(0x7FFF_FFFF)), after: .seconds(86_400)) == .useAndRefresh(Self.addresses))
    }

    @Test func thatThereIsNoneIsRememberedBriefly() {
        let none = Self.cache(.seconds(900), [])
        #expect(Self.decision(none, after: .seconds(29)) == .refuse(reason: "it has no address"))
        #expect(Self.decision(none, after: .seconds(30)) == .ask)
        var failed = NameCache()
        failed.fail("silence", for: "shop.example", at: Self.start)
        #expect(Self.decision(failed, after: .milliseconds(1_999)) == .refuse(reason: "silence"))
        #expect(Self.decision(failed, after: .seconds(2)) == .ask)
    }

    @Test func refreshThatFailsLeavesTheAnswerAndPauses() {
        var cache = Self.cache(.seconds(60))
        cache.fail("silence", for: "shop.example", at: Self.start + .seconds(100))
        #expect(Self.decision(cache, after: .seconds(129)) == .use(Self.addresses))
        #expect(Self.decision(cache, after: .seconds(130)) == .useAndRefresh(Self.addresses))
        #expect(Self.decision(cache, after: .seconds(3_660)) == .ask)
    }

    @Test func answerThatThereIsNoneReplacesOne() {
        var cache = Self.cache(.seconds(60))
        cache.keep(NameAnswer([], life: .seconds(5)), for: "shop.example", at: Self.start + .seconds(61))
        #expect(Self.decision(cache, after: .seconds(62)) == .refuse(reason: "it has no address"))
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
