import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

@Suite("Rosters")
struct SlotArrayTests {
    @Test func placesLeftAreTakenAgain() {
        var roster = SlotArray<Int>()
        var places: [Int: Int] = [:]
        for element in 0..<100 { places[element] = roster.enter(element) }
        for element in 0..<100 where element % 2 == 0 {
            let left = roster.leave(places[element]!)
            #expect(left == element)
        }
        #expect(roster.all.sorted() == (0..<100).filter { $0 % 2 == 1 })
        let reused = (100..<150).map { roster.enter($0) }
        #expect(Set(reused) == Set((0..<100).filter { $0 % 2 == 0 }.map { places[$0]! }))
        #expect(roster.all.count == 100)
    }
}
