import Foundation
import Testing

@testable import TarmacJSON

/// Keys change letter by letter as Foundation changes them, read with the fast comparison and without it.
@Suite struct SnakeCaseTests {
    static let keys = [
        "first_name", "_first_name_", "__a__b__", "a", "_", "", "URL_value", "address_line1a", "file_sha256sum", "a_1st", "x_y-z", "x_o'neil", "x_a.b", "x_a:b",
        "x-y", "x-y_z", "\u{E9}t\u{E9}_\u{C9}T\u{C9}", "a_\u{DF}x", "a_\u{1F600}b", "a_b c", "A_B", "aB_cD", "a_b2", "2a_3b", "a_b}c", "a_bc-",
    ]

    private struct Keys: Decodable {
        let all: [String]
        init(from decoder: any Decoder) throws { all = try decoder.container(keyedBy: AnyCodingKey.self).allKeys.map(\.stringValue) }
    }

    /// The member called what `userInfo` says.
    private struct One: Decodable {
        let value: Int
        init(from decoder: any Decoder) throws {
            let name = AnyCodingKey(decoder.userInfo[.name] as? String ?? "")
            value = try decoder.container(keyedBy: AnyCodingKey.self).decode(Int.self, forKey: name)
        }
    }

    @Test(arguments: keys)
    func keysAreChangedAsFoundationDoes(_ key: String) throws {
        let text = Data("{\(JSON(key)):1}".utf8)
        var mine = TarmacJSONDecoder()
        mine.keyDecodingStrategy = .convertFromSnakeCase
        let theirs = JSONDecoder()
        theirs.keyDecodingStrategy = .convertFromSnakeCase
        let changed = try theirs.decode(Keys.self, from: text).all
        #expect(try mine.decode(Keys.self, from: text).all == changed)
        #expect(SnakeCase.camel(key) == changed[0])
        // The search compares without making strings where it can.
        mine.userInfo[.name] = changed[0]
        #expect(try mine.decode(One.self, from: text).value == 1)
    }
}

extension CodingUserInfoKey {
    fileprivate static let name = CodingUserInfoKey(rawValue: "name") ?? preconditionFailure("any text is a key")
}
