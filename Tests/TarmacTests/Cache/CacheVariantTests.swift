import HTTPTypes
import Testing

@testable import TarmacCache

/// The variant that a request selects, and how often its fields are read for one choice.
@Suite struct CacheVariantTests {
    private static let language = HTTPField.Name.acceptLanguage

    private func text(_ value: String..., of name: HTTPField.Name = language) -> String? {
        var request = HTTPFields()
        for value in value { request.append(HTTPField(name: name, value: value)) }
        return CacheVariant([.vary: name.rawName]).text(of: request)
    }

    @Test(arguments: [
        ("de", "de"), (" De-CH , en;q=0.8", "de-ch,en;800"), ("en;q=0.5,de", "de,en;500"), ("fr,de", "de,fr"), ("en; q=0.25 ", "en;250"),
        ("en;q=1.0", "en"), ("en;q=0", "en;0"), ("*", "*"), ("de,,en", "de,en"), ("", ""), (" , ", ""),
        // Forms that are read slowly.
        ("en;Q=0.5", "en;500"), ("en;level=1;q=0.5", "en;500"), ("en;q=0.1234", "en;123"), ("en;q=x", "en;0"),
        ("en;q=.5", "en;500"), ("ß;q=0.5", "ß;500"),
    ])
    func languagesAreNormalized(_ value: String, _ normalized: String) {
        #expect(text(value) == "accept-language:" + normalized)
    }

    @Test func otherFieldsAreNormalizedAsLists() {
        let name = HTTPField.Name("X-Kind")!
        #expect(text("a b", of: name) == "x-kind:a b")
        #expect(text(" a ", of: name) == "x-kind:a")
        #expect(text("a ,b", of: name) == "x-kind:a,b")
        #expect(text("\"a,  b\" , c", of: name) == "x-kind:\"a,  b\",c")
        #expect(text("a", "b", of: name) == "x-kind:a,b")
        #expect(text(of: name) == "x-kind")
    }

    @Test func aChoiceAmongManyVariantsReadsTheFieldsOnce() {
        let variants = (0..<64).map { _ in CacheVariant([.vary: "Accept-Language, X-Kind", .contentLanguage: "fr"]) }
        var choice = VariantChoice([.acceptLanguage: "de,en;q=0.8"])
        let matching = variants.enumerated().filter { $1.matches(&choice, stored: "accept-language:d\($0)\nx-kind") }
        #expect(matching.isEmpty)
        #expect(choice.reads == 2)
        #expect(CacheVariant([.vary: "Accept-Language"]).matches(&choice, stored: "accept-language:de,en;800"))
        #expect(choice.reads == 3)
    }

    @Test func thePreferredLanguageIsSelected() {
        let fields: HTTPFields = [.vary: "Accept-Language", .contentLanguage: "DE"]
        var choice = VariantChoice([.acceptLanguage: "de,en;q=0.8"])
        #expect(CacheVariant(fields).matches(&choice, stored: "accept-language:de"))
        #expect(!CacheVariant([.vary: "Accept-Language"]).matches(&choice, stored: "accept-language:de"))
        #expect(!CacheVariant(fields).matches(choice.request, stored: "accept-language:de", of: nil))
        var other = VariantChoice([.acceptLanguage: "de,en"])
        #expect(!CacheVariant(fields).matches(&other, stored: "accept-language:de"))
    }
}
