import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

@Suite struct CharsetNamesTests {
    @Test(arguments: [("big5", "big5-hkscs"), ("shift_jis", "windows-31j"), ("euc-kr", "windows-949"), ("gb18030", "gb18030")])
    func subsetsAreLookedUpAsTheirSupersets(name: String, registered: String) {
        #expect(CharsetNames.iana(name) == registered)
    }

    @Test func eachRegisteredNameMeansTheSameEncoding() {
        for name in Set(CharsetLabels.all.compactMap(CharsetLabels.legacyName)) {
            #expect(CharsetLabels.legacyName(of: CharsetNames.iana(name)) == name)
        }
    }
}
