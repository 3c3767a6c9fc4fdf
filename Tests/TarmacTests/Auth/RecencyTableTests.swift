import TarmacTesting
import Testing

@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

@Suite("Table of the last used")
struct RecencyTableTests {
    @Test func theLastUsedStay() {
        var table = RecencyTable<Int, String>()
        for number in 0..<5 { table.insert("\(number)", for: number) }
        #expect(table.use(1) { $0 } == "1")
        #expect(table.use(0) { $0 } == "0")
        #expect(table.use(9) { $0 } == nil)
        table.trim(to: 3)
        #expect(table.values == ["0", "1", "4"])
    }

    @Test func aValueThatMustStayIsPassedOver() {
        var table = RecencyTable<Int, String>()
        for number in 0..<6 { table.insert("\(number)", for: number) }
        table.trim(to: 2) { $0 != "0" && $0 != "2" }
        #expect(Set(table.values) == ["0", "2"])
        // Only so many are asked, so that a table of values that all stay costs little.
        var asked = 0
        for number in 6..<100 { table.insert("\(number)", for: number) }
        table.trim(to: 2, chances: 8) { _ in
            asked += 1
            return false
        }
        #expect(asked == 8 && table.count == 96)
    }

    @Test func aTableFollowsAListInOrder() {
        var random = SeededGenerator(seed: 5), table = RecencyTable<Int, Int>(), list: [Int] = []
        for round in 0..<20_000 {
            let key = Int.random(in: 0..<700, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0...5:
                if table.use(key, { $0 }) == nil {
                    #expect(!list.contains(key))
                    table.insert(key, for: key)
                }
                list.removeAll { $0 == key }
                list.insert(key, at: 0)
            case 6...8:
                #expect((table.remove(key) != nil) == list.contains(key))
                list.removeAll { $0 == key }
            default:
                let limit = round % 2_000 == 0 ? 3 : 400
                table.trim(to: limit)
                list = Array(list.prefix(limit))
            }
            if round % 50 == 0 { #expect(table.values == list) }
            #expect(table.count == list.count)
        }
    }
}
