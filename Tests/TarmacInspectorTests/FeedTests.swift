import TarmacCore
import TarmacLog
import Testing

@testable import TarmacInspector

@Suite struct FeedTests {
    private func taken(_ pending: inout PendingChanges) throws -> PendingChanges.Batch {
        let batch = pending.take()
        return try #require(batch)
    }

    @Test func changesOfOneCallAreToldOnce() throws {
        var pending = PendingChanges()
        for update in [CallLog.Update.started(1), .changed(1), .changed(1), .ended(1), .started(2)] { pending.note(update) }
        let batch = try taken(&pending)
        #expect(batch.changed == [1, 2] && batch.removed.isEmpty && !batch.isCleared && !batch.mustReset)
        let rest = pending.take()
        #expect(rest == nil)
    }

    @Test func removedCallIsNoChange() throws {
        var pending = PendingChanges()
        pending.note(.started(1))
        pending.note(.removed(1))
        let batch = try taken(&pending)
        #expect(batch.changed.isEmpty && batch.removed == [1])
    }

    @Test func clearingForgetsWhatWasBefore() throws {
        var pending = PendingChanges()
        for update in [CallLog.Update.started(1), .cleared, .started(2)] { pending.note(update) }
        let batch = try taken(&pending)
        #expect(batch.isCleared && batch.changed == [2])
    }

    @Test func readerThatIsSlowLoadsTheListAgain() throws {
        var pending = PendingChanges()
        for id in 1...5_000 { pending.note(.started(UInt64(id))) }
        let batch = try taken(&pending)
        #expect(batch.mustReset && batch.changed.isEmpty && batch.removed.isEmpty)
    }

    /// The log may have dropped changes then, and says nothing about it.
    @Test func manyChangesOfOneCallLoadTheListAgain() throws {
        var pending = PendingChanges()
        for _ in 1...600 { pending.note(.changed(1)) }
        let first = try taken(&pending)
        #expect(!first.mustReset)
        for _ in 1...600 { pending.note(.changed(1)) }
        let second = try taken(&pending)
        #expect(second.mustReset)
    }

    @Test func feedHasABoundedNumberOfReaders() throws {
        let feed = Feed()
        var sessions = (0..<Feed.mostReaders).compactMap { _ in feed.open() }
        #expect(sessions.count == Feed.mostReaders && feed.open() == nil)
        sessions.removeLast()
        #expect(feed.open() != nil)
    }

    @Test func streamBeginsWithHelloAndThenTellsChanges() async throws {
        let feed = Feed(), log = CallLog()
        var stream = FeedStream(session: try #require(feed.open()), calls: .log(log)).makeAsyncIterator()
        let hello = try await stream.nextBuffer(suggested: 4_096) ?? []
        #expect(String(decoding: hello, as: UTF8.self).contains("event: hello\n"))
        feed.note(.removed(7))
        let event = try await stream.nextBuffer(suggested: 4_096) ?? []
        #expect(String(decoding: event, as: UTF8.self) == "event: removed\ndata: [7]\n\n")
    }

    /// A browser allows six connections to a host.
    @Test func readersLeaveABrowserConnectionsToLoad() { #expect(Feed.mostReaders <= 4) }

    @Test func streamThatIsGoneFreesItsPlace() async throws {
        let feed = Feed()
        for _ in 0..<Feed.mostReaders * 2 {
            _ = FeedStream(session: try #require(feed.open()), calls: .log(CallLog()))
        }
    }
}
