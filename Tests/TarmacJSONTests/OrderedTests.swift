import TarmacJSON
import Testing

@Suite struct OrderedTests {
    @Test func elementsAreInTheOrderOfTheStandardLibrary() {
        let words = ["b", "é", "", "a", "b", "B"]
        #expect(words.ordered() == words.sorted())
        #expect(Set(words).ordered() == Set(words).sorted())
    }

    @Test func equalElementsKeepTheirOrder() {
        let pairs = [(2, "a"), (1, "b"), (2, "c"), (1, "d")]
        #expect(pairs.ordered { $0.0 < $1.0 }.map(\.1) == ["b", "d", "a", "c"])
    }
}
