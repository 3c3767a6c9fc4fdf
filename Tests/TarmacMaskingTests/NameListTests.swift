@testable import TarmacMasking
import Testing

/// The verdicts about long lists of names. A list is one test, which names what it got wrong.
@Suite("Lists of names")
struct NameListTests {
    @Test func noNameOfASecretIsShown() {
        #expect(SecretNameList.names.count > 2_500)
        #expect(SecretNameList.names.filter { SecretNames.standard.rule(for: $0) == nil } == [])
    }

    @Test func noHarmlessNameIsHidden() {
        let names = HarmlessNameList.first + HarmlessNameList.second
        #expect(names.count > 5_000)
        #expect(names.filter { SecretNames.standard.rule(for: $0) != nil } == [])
    }

    @Test func aNameOfTwoListsIsInNone() {
        #expect(Set(SecretNameList.names).isDisjoint(with: HarmlessNameList.first + HarmlessNameList.second))
    }
}
