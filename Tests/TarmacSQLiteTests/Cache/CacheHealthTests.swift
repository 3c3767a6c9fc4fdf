import Tarmac
import Testing

@testable import TarmacSQLite

@Suite("What of a cache's faults is news") struct CacheHealthTests {
    @Test func readingSaysNothingOfWriting() {
        var health = CacheHealth()
        #expect(health.noteWrite(of: 10, works: false) == .cannotWrite)
        #expect(health.noteRead(works: true) == nil)
        #expect(health.noteWrite(of: 10, works: false) == nil)
        #expect(health.noteWrite(of: 10, works: true) == .recovered)
    }

    @Test func aSmallWriteIsNoProofThatALargeOneWorks() {
        var health = CacheHealth()
        _ = health.noteWrite(of: 1000, works: false)
        #expect(health.noteWrite(of: 0, works: true) == nil)
        #expect(health.noteWrite(of: 999, works: true) == nil)
        #expect(health.noteWrite(of: 500, works: false) == nil)
        #expect(health.noteWrite(of: 500, works: true) == nil)
        #expect(health.noteWrite(of: 1000, works: true) == .recovered)
    }

    @Test func manySmallWritesInARowAre() {
        var health = CacheHealth()
        _ = health.noteWrite(of: 1000, works: false)
        let told = (0..<64).compactMap { _ in health.noteWrite(of: 1, works: true) }
        #expect(told == [.recovered])
        _ = health.noteWrite(of: 1000, works: false)
        for _ in 0..<63 { _ = health.noteWrite(of: 1, works: true) }
        _ = health.noteWrite(of: 1, works: false)
        #expect(health.noteWrite(of: 1, works: true) == nil)
    }

    @Test func oneFaultIsOneHoweverManyThingsFail() {
        var health = CacheHealth()
        #expect(health.noteRead(works: false) == .cannotRead)
        #expect(health.noteWrite(of: 1, works: false) == nil)
        #expect(health.noteRead(works: true) == nil)
        #expect(health.noteWrite(of: 1, works: true) == .recovered)
    }

    @Test func whatIsOwedIsForgottenOnceItIsDone() {
        var owed = OwedRemovals()
        owed.add(.entry(1))
        owed.add(.tag("a"))
        let done = owed
        owed.add(.entry(2))
        owed.settle(done)
        #expect(owed.all == [.entry(2)])
    }

    @Test func whatIsOwedTakesLittleMemory() {
        var owed = OwedRemovals()
        for id in 0..<5000 { owed.add(.entry(UInt64(id))) }
        #expect(owed.all.contains(.all) && owed.all.count < 1000)
    }
}
