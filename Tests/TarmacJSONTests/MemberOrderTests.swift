import Testing

@testable import TarmacJSON

/// Whatever order a type asks in, the first of equal keys is found: the shortcuts for the usual order
/// must not show.
@Suite struct MemberOrderTests {
    @Test(arguments: 0..<40)
    func firstOfEqualKeysIsFoundInAnyOrder(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            // Few letters make repeated keys and equal signatures likely.
            let keys = (0..<Int.random(in: 1...160, using: &generator)).map { _ in
                (0..<Int.random(in: 0...3, using: &generator)).map { _ in String("abcdeé".randomElement(using: &generator)!) }.joined()
            }
            let members = keys.enumerated().map { index, key in
                let isEscaped = key.first == "a" && Int.random(in: 0..<8, using: &generator) == 0
                return "\"\(isEscaped ? "\\u0061" + key.dropFirst() : key)\":\(index),"
            }
            let text = "{" + members.joined().dropLast() + "}"
            let asked =
                (0..<60).map { _ in Bool.random(using: &generator) ? keys.randomElement(using: &generator)! : "zz" }
                + keys
            struct Probe: Decodable {
                var found: [Int?]
                init(from decoder: any Decoder) throws {
                    let container = try decoder.container(keyedBy: AnyCodingKey.self)
                    let asked = decoder.userInfo[CodingUserInfoKey(rawValue: "asked")!] as? [String] ?? []
                    found = try asked.map { try container.decodeIfPresent(Int.self, forKey: AnyCodingKey($0)) }
                }
            }
            var decoder = TarmacJSONDecoder()
            decoder.userInfo[CodingUserInfoKey(rawValue: "asked")!] = asked
            #expect(try decoder.decode(Probe.self, from: Array(text.utf8)).found == asked.map { keys.firstIndex(of: $0) })
        }
    }
}
