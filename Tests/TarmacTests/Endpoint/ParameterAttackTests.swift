import Tarmac
import TarmacCore
import Testing

/// Input that is meant to exhaust the stack, the clock or an assumption.
@Suite struct ParameterAttackTests {
    /// Nested as deep as wished without holding anything.
    struct Deep: Encodable {
        enum Style: CaseIterable { case object, array, single, keyed, unkeyed, superEncoder }
        enum Key: String, CodingKey { case n }
        let level: Int
        let style: Style

        func encode(to encoder: any Encoder) throws {
            guard level > 0 else { return }
            try encode(Deep(level: level - 1, style: style), to: encoder)
        }

        private func encode(_ next: Deep, to encoder: any Encoder) throws {
            switch style {
            case .object:
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(next, forKey: .n)
            case .array:
                var container = encoder.unkeyedContainer()
                try container.encode(next)
            case .single:
                var container = encoder.singleValueContainer()
                try container.encode(next)
            case .superEncoder:
                var container = encoder.container(keyedBy: Key.self)
                try next.encode(to: container.superEncoder(forKey: .n))
            case .keyed, .unkeyed:
                try nest(encoder)
            }
        }

        private func nest(_ encoder: any Encoder) throws {
            if style == .keyed {
                var container = encoder.container(keyedBy: Key.self)
                for _ in 0..<level { container = container.nestedContainer(keyedBy: Key.self, forKey: .n) }
                try container.encode(1, forKey: .n)
            } else {
                var container = encoder.unkeyedContainer()
                for _ in 0..<level { container = container.nestedUnkeyedContainer() }
                try container.encode(1)
            }
        }
    }

    @Test(arguments: Deep.Style.allCases)
    func thousandsOfLevelsAreRefused(style: Deep.Style) {
        // `superEncoder` cannot throw, so that recursion is the type's own; the thread sanitizer makes its frames large.
        let level = style == .superEncoder ? 2_000 : 10_000
        let error = #expect(throws: TarmacError.self) {
            try ParameterEncoder().encode(["a": Deep(level: level, style: style)])
        }
        #expect(error?.code == .invalidParameter)
        #expect(error?.path?.hasPrefix("a") == true)
        #expect(error?.description.count ?? .max < 400)
    }

    @Test(arguments: Deep.Style.allCases)
    func ahundredLevelsPass(style: Deep.Style) throws {
        #expect(try ParameterEncoder().encode(["a": Deep(level: 100, style: style)]).count == 1)
    }

    private func nested(_ levels: Int, objects: Bool) -> ParameterList {
        var value: ParameterValue = 1
        for _ in 0..<levels { value = objects ? .object([Parameter("a", value)]) : .array([value]) }
        return ParameterList([Parameter("a", value)])
    }

    @Test(arguments: [true, false], QueryEncoder.Arrays.allCases)
    func writersRefuseTenThousandLevelsMadeByHand(objects: Bool, arrays: QueryEncoder.Arrays) {
        let list = nested(10_000, objects: objects)
        #expect(throws: TarmacError.self) { try QueryEncoder(arrays: arrays).encode(list) }
        #expect(throws: TarmacError.self) { try FormEncoder(QueryEncoder(arrays: arrays)).encode(list) }
        #expect(throws: TarmacError.self) { try list.json() }
        #expect(throws: TarmacError.self) { try QueryEncoder().templateValue(of: list[0].value, named: "a") }
    }

    @Test func hugeArraysAndObjectsPass() throws {
        let list: ParameterList = ["n": Array(0..<300_000), "o": Dictionary(uniqueKeysWithValues: (0..<20_000).map { ("\($0)", $0) })]
        #expect(try QueryEncoder().encode(list).utf8.count > 300_000)
        #expect(try list.json().count > 300_000)
        #expect(list["n"].flatMap { if case .array(let values) = $0 { values.count } else { nil } } == 300_000)
    }

    @Test(arguments: ["", "\u{0}", "\u{301}", "e\u{301}", "🏳️‍🌈", "\u{FEFF}", "\u{202E}", "\u{FFFF}", "a\r\nb", "\u{7F}", "\u{10FFFF}", "=&[]#?%"])
    func strangeNamesAndValuesAreEncoded(text: String) throws {
        let list: ParameterList = [text: text, "o": [text: [text]]]
        let query = try QueryEncoder().encode(list)
        #expect(query.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        #expect(try FormEncoder().encode(list).utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        #expect(try list.json().allSatisfy { $0 >= 0x20 })
        let template = try URITemplate("/x{y}{+y}{?y,y*}{#y:3}")
        #expect(try template.expand(["y": .string(text)]).utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        _ = try? URITemplate(text + "{" + text + "}")
        _ = Route.method(text, text)
    }

    @Test func aLongTemplateIsParsedInOneGo() throws {
        let text = String(repeating: "/{a}", count: 50_000)
        #expect(try URITemplate(text).expand { _ in "b" }.string.utf8.count == 100_000)
        #expect(throws: TarmacError.self) { try URITemplate(String(repeating: "{", count: 100_000)) }
    }
}
