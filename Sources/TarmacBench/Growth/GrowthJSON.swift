#if Tools
import TarmacJSON

/// Look-ups of each element or member of a container in turn.
struct GrowthJSONLookups: GrowthWork {
    enum Kind: String, CaseIterable {
        case place, name
    }

    /// The look-ups of one unit, because one takes less than a call of a closure.
    private static let count = 1_000

    let kind: Kind
    var name: String { "JSON: look-ups by \(kind.rawValue) in a container of n" }
    var unit: String { "\(Self.count) look-ups" }
    var sizes: [Int] { [10, 100, 1_000, 10_000] }

    func prepare(size: Int) async throws -> @Sendable () async throws -> Void {
        let json = try JSON(parsing: text(size))
        let keys = (0..<size).map { "key\($0)" }
        let kind = kind
        return {
            // Steps that visit all children, in no order of theirs.
            var place = Int.random(in: 0..<size)
            for _ in 0..<Self.count {
                place = (place + 7) % size
                let value = kind == .place ? json[place] : json[keys[place]]
                precondition(value.int == place, "another value was found")
            }
        }
    }

    private func text(_ size: Int) -> String {
        switch kind {
        case .place: "[" + (0..<size).map(String.init).joined(separator: ",") + "]"
        case .name: "{" + (0..<size).map { "\"key\($0)\":\($0)" }.joined(separator: ",") + "}"
        }
    }
}

/// A wide object decoded into a type with as many keys.
struct GrowthJSONDecoding: GrowthWork {
    private static let total = 10_000

    var name: String { "JSON: an object of n members decoded into a type" }
    var unit: String { "\(Self.total) members" }
    var sizes: [Int] { [10, 100, 1_000, 10_000] }

    func prepare(size: Int) async throws -> @Sendable () async throws -> Void {
        let bytes = Array(("{" + (0..<size).map { "\"key\($0)\":\($0)" }.joined(separator: ",") + "}").utf8)
        let keys = (0..<size).map { WideObject.Key("key\($0)") }
        var decoder = TarmacJSONDecoder()
        decoder.userInfo[WideObject.keys] = keys
        return { [decoder] in
            for _ in 0..<(Self.total / size) { _ = try decoder.decode(WideObject.self, from: bytes) }
        }
    }
}

/// An object whose keys the decoder's user info names.
private struct WideObject: Decodable {
    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    static let keys = CodingUserInfoKey(rawValue: "keys")!

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for key in decoder.userInfo[Self.keys] as? [Key] ?? [] { _ = try container.decode(Int.self, forKey: key) }
    }
}
#endif
