#if NIO
import NIOHTTP2
import TarmacNIO
import Testing

/// When AsyncHTTPClient sees a new limit of streams. Its idle timer, started twice, ends the process where assertions are compiled in.
struct StreamLimitTests {
    private static func settings(_ limit: Int) -> HTTP2Settings { [HTTP2Setting(parameter: .maxConcurrentStreams, value: limit)] }

    @Test func limitBeforeTheStreamOfTheRequestThatWaitsIsShown() {
        var limit = StreamLimit()
        let first = limit.take(from: Self.settings(0), isUsed: false, isAwaited: true)
        #expect(first == Self.settings(0))
        let second = limit.take(from: Self.settings(50), isUsed: false, isAwaited: true)
        #expect(second == Self.settings(50))
    }

    @Test(arguments: [0, 50]) func limitOfAConnectionWhoseRequestWasGivenUpEndsIt(_ value: Int) {
        var limit = StreamLimit()
        let shown = limit.take(from: Self.settings(value), isUsed: false, isAwaited: false)
        #expect(shown == nil)
    }

    @Test func limitOfAnIdleConnectionWaitsForItsNextStream() {
        var limit = StreamLimit()
        let heldBefore = limit.openStream()
        #expect(heldBefore == false)
        limit.closeStream()
        let shown = limit.take(from: Self.settings(50), isUsed: true, isAwaited: true)
        #expect(shown == [])
        let early = limit.release()
        #expect(early == nil)
        let holds = limit.openStream()
        #expect(holds)
        let late = limit.release()
        #expect(late == Self.settings(50).first)
    }

    @Test func settingsWithoutALimitPass() {
        var limit = StreamLimit()
        let other: HTTP2Settings = [HTTP2Setting(parameter: .maxFrameSize, value: 20_000)]
        for isUsed in [false, true] {
            let seen = limit.take(from: other, isUsed: isUsed, isAwaited: false)
            #expect(seen == other)
        }
    }
}
#endif
