import Foundation
import Testing

@testable import TarmacJSON

/// A depth limit that lets 100,000 levels through must not let any reader run out of stack, on a thread of 512 KiB too.
@Suite struct DepthTests {
    static let depth = 100_000

    private static func text(_ inner: String = "1", depth: Int = depth) -> String {
        String(repeating: "[{\"a\":", count: depth / 2) + inner + String(repeating: "}]", count: depth / 2)
    }

    private static func json(_ inner: String = "1", depth: Int = depth) throws -> JSON {
        try JSON(parsing: text(inner, depth: depth), options: .init(depthLimit: depth + 1))
    }

    @Test func textIsWrittenAtAnyDepth() throws {
        let json = try Self.json()
        let written = try onSmallStack { (json.description, try json.bytes(.sortedKeys), json.prettyPrinted.utf8.count) }
        #expect(written.0 == Self.text())
        #expect(written.1 == Array(Self.text().utf8))
        // Two lines a level, of at most 64 levels' indent each.
        #expect(written.2 < Self.depth * 2 * (2 * TextLayout.deepestIndent + 10))
    }

    @Test func prettyTextOfAnyDepthReadsBack() throws {
        let json = try Self.json(depth: 2000)
        #expect(try JSON(parsing: json.prettyPrinted, options: .init(depthLimit: 2000)) == json)
    }

    @Test func valuesAreComparedAtAnyDepth() throws {
        let (one, same, other) = (try Self.json(), try Self.json("1.0"), try Self.json("2"))
        let found = try onSmallStack { [one == same, one == other, one.hashValue == same.hashValue, Set([one, same]).count == 1] }
        #expect(found == [true, false, true, true])
    }

    @Test func patchesOfAnyDepthAreMerged() throws {
        let open = String(repeating: "{\"a\":", count: Self.depth)
        let close = String(repeating: "}", count: Self.depth)
        let options = JSONDocument.Options(depthLimit: Self.depth + 1)
        let target = try JSON(parsing: open + #"{"x":1,"y":2}"# + close, options: options)
        let patch = try JSON(parsing: open + #"{"x":null,"z":3}"# + close, options: options)
        let (merged, fresh) = try onSmallStack {
            var (merged, fresh) = (target, JSON.null)
            merged.merge(patch)
            fresh.merge(patch)
            return (merged.description, fresh.description)
        }
        #expect(merged == open + #"{"y":2,"z":3}"# + close)
        #expect(fresh == open + #"{"z":3}"# + close)
    }

    /// A level is two of the text: an array and an object.
    private final class Link: Decodable, Sendable {
        let a: [Link]
    }

    @Test func modelsDeeperThanTheStackAreAnError() throws {
        let error = #expect(throws: DecodingError.self) {
            _ = try onSmallStack { try TarmacJSONDecoder().decode([Link].self, from: Self.json("[]")) }
        }
        #expect(error?.place?.code == .depthExceeded)
        #expect(error?.place?.offset != nil)
    }

    @Test func modelsOfTheStandardDepthAreReadOrRefused() throws {
        // How much stack a level takes is up to the build; running out of it is not.
        do {
            let links = try onSmallStack { try TarmacJSONDecoder().decode([Link].self, from: Self.json("[]", depth: 510)) }
            withExtendedLifetime(links) {}
        } catch let error as DecodingError {
            #expect(error.place?.code == .depthExceeded)
        }
        // A type that tries one form after the other swallows the error and goes on, which must end as well.
        _ = try? onSmallStack { try TarmacJSONDecoder().decode(Tree.self, from: Self.json(depth: 510)) == .null }
    }

    private struct Chain: Encodable {
        var left: Int
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            if left > 0 { try container.encode(Chain(left: left - 1)) }
        }
    }

    @Test func encodingDeeperThanTheStackIsAnError() throws {
        #expect(throws: EncodingError.self) {
            _ = try onSmallStack { try TarmacJSONEncoder().encodeBytes(Chain(left: Self.depth)) }
        }
        #expect(try TarmacJSONEncoder().encodeBytes(Chain(left: 20)).count == 42)
    }

    /// Each synthesized case writes into a nested container.
    private indirect enum Formula: Codable, Sendable {
        case number(Int), minus(Formula)

        static func of(depth: Int) -> Formula { (0..<depth).reduce(.number(1)) { formula, _ in .minus(formula) } }
    }

    /// Goes on through nested containers of arrays, all of which it holds.
    private struct Nest: Encodable {
        var left: Int
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            var inner = container.nestedUnkeyedContainer()
            if left > 0 { try inner.encode(Nest(left: left - 1)) }
        }
    }

    /// Goes on through super encoders and decoders alone.
    private struct Relay: Codable, Sendable {
        var depth: Int
        private enum CodingKeys: String, CodingKey { case id, next }

        init(depth: Int) { self.depth = depth }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            depth = container.contains(.next) ? try Relay(from: container.superDecoder(forKey: .next)).depth + 1 : 0
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(0, forKey: .id)
            if depth > 0 { try Relay(depth: depth - 1).encode(to: container.superEncoder(forKey: .next)) }
        }
    }

    @Test func nestedContainersOfTheStandardDepthAreWrittenOrRefused() throws {
        for value in [Formula.of(depth: 254), .of(depth: 20)] {
            _ = try? onSmallStack { try TarmacJSONEncoder().encodeBytes(value).count }
        }
        let relay = try onSmallStack { try TarmacJSONEncoder().encodeBytes(Relay(depth: 100)).count }
        #expect(relay == 100 * #"{"id":0,"next":}"#.utf8.count + #"{"id":0}"#.utf8.count)
        _ = try? onSmallStack { try TarmacJSONEncoder().encodeBytes(Relay(depth: 511)).count }
    }

    @Test func nestedContainersDeeperThanTheStackAreAnError() throws {
        let formula = Formula.of(depth: 3000)
        #expect(throws: EncodingError.self) { try onSmallStack { try TarmacJSONEncoder().encodeBytes(formula).count } }
        #expect(throws: EncodingError.self) { try onSmallStack { try TarmacJSONEncoder().encodeBytes(Nest(left: Self.depth)).count } }
        let error = #expect(throws: EncodingError.self) { try onSmallStack { try TarmacJSONEncoder().encodeBytes(Relay(depth: Self.depth)).count } }
        guard case .invalidValue(_, let context)? = error else { return }
        #expect(context.debugDescription == "The values are nested too deep for this thread's stack.")
    }

    @Test func superDecodersDeeperThanTheStackAreAnError() throws {
        let text = String(repeating: #"{"next":"#, count: 20_000) + "{}" + String(repeating: "}", count: 20_000)
        let document = try JSONDocument(text, options: .init(depthLimit: Self.depth))
        let error = #expect(throws: DecodingError.self) { try onSmallStack { try TarmacJSONDecoder().decode(Relay.self, from: document).depth } }
        #expect(error?.place?.code == .depthExceeded)
        let short = String(repeating: #"{"next":"#, count: 20) + "{}" + String(repeating: "}", count: 20)
        #expect(try TarmacJSONDecoder().decode(Relay.self, from: Array(short.utf8)).depth == 20)
    }

    // MARK: Coders made by types

    /// Reads its child with a decoder of its own.
    private struct Getter: Decodable {
        var depth = 0
        init(from decoder: any Decoder) throws {
            let json = try decoder.singleValueContainer().decode(JSON.self)
            if !json["next"].isMissing { depth = try json.get("next", as: Getter.self).depth + 1 }
        }
    }

    private struct OwnDecoder: Decodable {
        var depth = 0
        init(from decoder: any Decoder) throws {
            let json = try JSON(from: decoder)
            if !json["next"].isMissing { depth = try TarmacJSONDecoder().decode(OwnDecoder.self, from: json["next"]).depth + 1 }
        }
    }

    /// Writes what comes next with an encoder of its own.
    private struct OwnEncoder: Encodable {
        var left: Int
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            let inner = left > 0 ? try TarmacJSONEncoder().encodeBytes(OwnEncoder(left: left - 1)) : []
            try container.encode(inner.count)
        }
    }

    private static func chain(_ depth: Int) throws -> JSON {
        let text = String(repeating: #"{"next":"#, count: depth) + "{}" + String(repeating: "}", count: depth)
        return try JSON(parsing: text, options: .init(depthLimit: depth + 1))
    }

    @Test func decodersOfATypesOwnStopBeforeTheStackEnds() throws {
        let chain = try Self.chain(20_000)
        let getting = #expect(throws: JSONError.self) { try onSmallStack { try chain.get(as: Getter.self).depth } }
        #expect(getting?.code == .depthExceeded)
        let decoding = #expect(throws: DecodingError.self) { try onSmallStack { try TarmacJSONDecoder().decode(OwnDecoder.self, from: chain).depth } }
        #expect(decoding?.place?.code == .depthExceeded)
        let short = try Self.chain(20)
        #expect(try onSmallStack { try short.get(as: Getter.self).depth } == 20)
        #expect(try onSmallStack { try TarmacJSONDecoder().decode(OwnDecoder.self, from: short).depth } == 20)
    }

    @Test func encodersOfATypesOwnStopBeforeTheStackEnds() throws {
        let error = #expect(throws: EncodingError.self) {
            _ = try onSmallStack { try TarmacJSONEncoder().encodeBytes(OwnEncoder(left: Self.depth)) }
        }
        guard case .invalidValue(_, let context)? = error else { return }
        #expect(context.debugDescription == "The values are nested too deep for this thread's stack.")
        #expect(try onSmallStack { try TarmacJSONEncoder().encodeBytes(OwnEncoder(left: 20)) } == [0x31])
    }

    /// What is kept with a thread is of that thread.
    @Test func eachThreadHasItsOwnStack() throws {
        for _ in 0..<20 {
            #expect(try onSmallStack { StackLimit().isUsedUp } == false)
            #expect(throws: DecodingError.self) {
                _ = try onSmallStack { try TarmacJSONDecoder().decode([Link].self, from: Self.json("[]")) }
            }
        }
    }

    @Test func otherCodersStopBeforeTheStackEnds() throws {
        let json = try Self.json()
        #expect(throws: (any Error).self) { _ = try onSmallStack { try PropertyListEncoder().encode(json) } }
        #expect(try onSmallStack { try TarmacJSONEncoder().encodeBytes(json) } == Array(Self.text().utf8))
    }

    @Test func errorsAtAnyDepthAreShort() throws {
        let json = try Self.json("\"x\"")
        let result = try onSmallStack {
            var inner = json
            for _ in 0..<(Self.depth / 2) { inner = inner[0]["a"] }
            let place = inner
            return Result { () throws(JSONError) in try place.get(as: Int.self) }
        }
        let error = #expect(throws: JSONError.self) { try result.get() }
        #expect(error?.path.components.count == Self.depth)
        #expect((error?.description.utf8.count ?? .max) < 1000)
    }
}

extension DecodingError {
    /// The error of this module behind it.
    var place: JSONError? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context), .dataCorrupted(let context):
            context.underlyingError as? JSONError
        @unknown default: nil
        }
    }
}
