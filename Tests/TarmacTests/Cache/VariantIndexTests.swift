import Foundation
import HTTPTypes
import TarmacCore
import TarmacTesting
import Testing

@testable import TarmacCache

/// Many stored responses to one URL: a request finds the one that it selects without a look at all.
@Suite struct VariantIndexTests {
    private static let key = CacheKey(service: "s", environment: "e", url: "https://s.example/page")
    private static let start = Date(timeIntervalSince1970: 1_700_000_000)

    private static func entry(_ vary: String?, for request: HTTPFields, language: String? = nil, at seconds: Int = 0) -> CacheEntry {
        var headers: HTTPFields = [.cacheControl: "max-age=100000"]
        if let vary { headers[.vary] = vary }
        if let language { headers[.contentLanguage] = language }
        let date = start.addingTimeInterval(Double(seconds))
        let variant = CacheVariant(headers).text(of: request) ?? ""
        return CacheEntry(key: key, variant: variant, headers: headers, requestDate: date, responseDate: date)
    }

    private static func index(_ entries: [CacheEntry]) -> VariantIndex {
        VariantIndex(entries.map { (CacheVariant($0.headers), $0.variant) })
    }

    @Test func amongManyVariantsOneIsACandidate() {
        let entries = (0..<64).map { Self.entry("Accept-Language", for: [.acceptLanguage: "d\($0),en;q=0.8"], at: $0) }
        var choice = VariantChoice([.acceptLanguage: "d41,en;q=0.8"])
        #expect(Self.index(entries).candidates(&choice) == [41])
        #expect(choice.reads == 1)
    }

    /// Nearly every response that varies by Accept-Language states its language.
    @Test func amongManyVariantsThatStateTheirLanguageOneIsACandidate() {
        let entries = (0..<64).map { Self.entry("Accept-Language", for: [.acceptLanguage: "d\($0),en;q=0.8"], language: "D\($0)", at: $0) }
        func candidates(_ languages: String) -> [Int] {
            var choice = VariantChoice([.acceptLanguage: languages])
            let found = Self.index(entries).candidates(&choice)
            #expect(choice.reads == 2)
            return found
        }
        #expect(candidates("d41,en;q=0.8") == [41])
        // No response is stored for these fields, but one is in the language.
        #expect(candidates("d41, fr;q=0.3") == [41])
        #expect(candidates("fr,d41;q=0.5") == [])
    }

    @Test(arguments: 0..<40)
    func theIndexSelectsWhatTheComparisonOfAllSelects(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let languages = ["de", "en", "fr", "de,en;q=0.5", "en,de;q=0.5"], names = ["Accept-Language", "X-Kind", "Accept-Language, X-Kind", "*"]
        func request() -> HTTPFields {
            [.acceptLanguage: languages.randomElement(using: &random)!, HTTPField.Name("X-Kind")!: Bool.random(using: &random) ? "a" : "b"]
        }
        let entries = (0..<30).map { number in
            let language = Bool.random(using: &random) ? ["de", "en", "fr"].randomElement(using: &random) : nil
            let vary = Int.random(in: 0..<9, using: &random) == 0 ? nil : names.randomElement(using: &random)
            return Self.entry(vary, for: request(), language: language, at: Int.random(in: 0..<5, using: &random) * 10 + number % 2)
        }
        let policy = CachePolicy(rule: .http, terms: CacheEntry.Terms(), now: Self.start.addingTimeInterval(60)), index = Self.index(entries)
        for _ in 0..<20 {
            let fields = request(), question = CachePolicy.Question(method: .get, headers: fields, selecting: fields)
            #expect(policy.decide(question, stored: entries, index: index) == policy.decide(question, stored: entries))
        }
    }

    @Test func aListIsMadeAnewWhenAVariantChanges() async {
        let store = MemoryCacheStore()
        func kinds() -> [String] { store.lookupNow(Self.key)!.records.compactMap(\.body).map { String(decoding: $0, as: UTF8.self) } }
        for number in 0..<10 { await store.publish(Self.entry("X-Kind", for: [HTTPField.Name("X-Kind")!: "\(number)"]), body: Bytes("\(number)")) }
        #expect(kinds() == (0..<10).reversed().map(String.init))
        #expect(store.lookupNow(Self.key)?.list != nil)

        await store.publish(Self.entry("X-Kind", for: [HTTPField.Name("X-Kind")!: "3"]), body: Bytes("new"))
        #expect(kinds() == ["new", "9", "8", "7", "6", "5", "4", "2", "1", "0"])

        var changed = store.lookupNow(Self.key)!.records[1].entry
        changed.isInvalidated = true
        await store.update(changed)
        #expect(store.lookupNow(Self.key)?.records.map(\.entry.isInvalidated) == [false, true] + Array(repeating: false, count: 8))

        await store.remove(.entry(changed.id))
        #expect(kinds() == ["new", "8", "7", "6", "5", "4", "2", "1", "0"])
        await store.remove(.key(Self.key))
        #expect(store.lookupNow(Self.key)?.records.isEmpty == true)
    }

    @Test func anIndexIsMadeAtTheSecondLookup() {
        let list = VariantList((0..<10).map { CacheRecord(Self.entry("X-Kind", for: [HTTPField.Name("X-Kind")!: "\($0)"])) })
        var made = 0
        func look() -> VariantIndex? {
            list.index { records in
                made += 1
                return Self.index(records.map(\.entry))
            }
        }
        #expect(look() == nil && made == 0)
        #expect(look() != nil && look() != nil && made == 1)
    }

    @Test func parsedFieldsOfAnEntryAreSharedUntilItChanges() {
        let entry = Self.entry("X-Kind", for: [:])
        var copy = entry
        entry.facts = CacheFacts(entry)
        #expect(copy.facts != nil)
        copy.headers[.vary] = nil
        #expect(copy.facts == nil && entry.facts != nil)
        var later = entry
        later.responseDate = Self.start.addingTimeInterval(9)
        #expect(later.facts == nil)
    }
}
