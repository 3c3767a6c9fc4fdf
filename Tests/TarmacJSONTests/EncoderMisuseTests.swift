import Foundation
import Testing

@testable import TarmacJSON

/// Encoders and containers used when it is not their turn: an error with a path, or the text that was meant; never a crash,
/// never a text that is no JSON.
@Suite struct EncoderMisuseTests {
    private struct Script: Encodable {
        let run: (any Encoder) throws -> Void
        init(_ run: @escaping (any Encoder) throws -> Void) { self.run = run }
        func encode(to encoder: any Encoder) throws { try run(encoder) }
    }

    private struct Refused: Error {}
    private typealias Key = AnyCodingKey
    private static var failing: Script {
        Script {
            try $0.unkeyedContainer().encodeOnce([1]); throw Refused()
        }
    }

    private func text(_ value: some Encodable, _ configure: (inout TarmacJSONEncoder) -> Void = { _ in }) throws -> String {
        var encoder = TarmacJSONEncoder()
        configure(&encoder)
        let bytes = try encoder.encodeBytes(value)
        _ = try JSONDocument(bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func path(_ error: EncodingError?) -> [String]? {
        guard case .invalidValue(_, let context)? = error else { return nil }
        return context.codingPath.map(\.stringValue)
    }

    // MARK: After a member that failed

    @Test(arguments: ["a", "a much longer key than what follows it", ""])
    func aMisuseAfterAFailedMemberIsAnErrorWithItsPath(_ key: String) {
        let value = Script {
            var container = $0.container(keyedBy: Key.self)
            #expect(throws: Refused.self) { try container.encode(Self.failing, forKey: Key(key)) }
            _ = $0.unkeyedContainer()
        }
        for configure in [{ _ in }, { $0.keyEncodingStrategy = .convertToSnakeCase }] as [(inout TarmacJSONEncoder) -> Void] {
            let error = #expect(throws: EncodingError.self) { try text(["outer": value], configure) }
            #expect(path(error) == ["outer"])
        }
    }

    @Test func aSecondFailureAfterAFailedMemberHasItsOwnPath() {
        let value = Script {
            var container = $0.container(keyedBy: Key.self)
            try? container.encode(Self.failing, forKey: Key("first"))
            try container.encode(Double.nan, forKey: Key("second"))
        }
        #expect(path(#expect(throws: EncodingError.self) { try text([value]) }) == ["Index 0", "second"])
    }

    @Test func aFailedElementLeavesItsPlaceToTheNext() throws {
        let value = Script {
            var list = $0.unkeyedContainer()
            try? list.encode(Self.failing)
            _ = list.codingPath
            try? list.encode(Double.nan)
            try list.encode(list.count)
            var nested = list.nestedContainer(keyedBy: Key.self)
            try? nested.encode(Self.failing, forKey: Key("x"))
            try nested.encode(nested.codingPath.map(\.stringValue), forKey: Key("path"))
        }
        #expect(try text(["k": value]) == #"{"k":[0,{"path":["k","Index 1"]}]}"#)
    }

    @Test func aStaleContainerAfterAFailureIsAnErrorWithAPath() {
        let value = Script {
            var list = $0.unkeyedContainer()
            var kept: KeyedEncodingContainer<Key>?
            try? list.encode(
                Script {
                    kept = $0.container(keyedBy: Key.self); throw Refused()
                })
            #expect(kept?.codingPath.count ?? 9 <= 2)
            try kept?.encode(1, forKey: Key("late"))
        }
        #expect(throws: EncodingError.self) { try text(["k": value]) }
    }

    @Test func customKeysSeeNoKeyThatWasTakenBack() throws {
        let value = Script {
            var container = $0.container(keyedBy: Key.self)
            try? container.encode(Self.failing, forKey: Key("a much longer key than the next"))
            var nested = container.nestedContainer(keyedBy: Key.self, forKey: Key("n"))
            try nested.encode(1, forKey: Key("x"))
        }
        let keys = try text([value]) { $0.keyEncodingStrategy = .custom { Key($0.map(\.stringValue).joined(separator: ".")) } }
        #expect(keys == #"[{"Index 0.n":{"Index 0.n.x":1}}]"#)
    }

    // MARK: Containers around the value

    private func around(_ write: @escaping (KeyedEncodingContainer<Key>, any Encoder) throws -> Void) -> Script {
        Script {
            var outer = $0.container(keyedBy: Key.self)
            let kept = outer
            try outer.encode(Script { try write(kept, $0) }, forKey: Key("a"))
        }
    }

    @Test func aValueThatWritesIntoTheContainerAroundItIsAnError() {
        let scripts = [
            around { outer, _ in
                var outer = outer; try outer.encode(1, forKey: Key("b"))
            },
            around { outer, encoder in
                var outer = outer; try outer.encode(1, forKey: Key("b")); try 2.encode(to: encoder)
            },
            around { outer, encoder in
                var (outer, own) = (outer, encoder.container(keyedBy: Key.self))
                try outer.encode(1, forKey: Key("b"))
                try own.encode(2, forKey: Key("c"))
            },
            around { outer, _ in
                var outer = outer; _ = outer.nestedContainer(keyedBy: Key.self, forKey: Key("b"))
            },
            around { outer, _ in
                var outer = outer; _ = outer.nestedUnkeyedContainer(forKey: Key("a"))
            },
            around { outer, _ in
                var outer = outer; _ = outer.superEncoder()
            },
        ]
        for script in scripts { #expect(throws: EncodingError.self) { try text([script]) } }
    }

    @Test func aRefusedWriteIntoTheContainerAroundLeavesTheRestWhole() throws {
        let value = around { outer, encoder in
            var outer = outer
            #expect(throws: EncodingError.self) { try outer.encode(1, forKey: Key("b")) }
            try 2.encode(to: encoder)
        }
        #expect(try text([value]) == #"[{"a":2}]"#)
    }

    @Test func anElementThatWritesIntoTheArrayAroundItIsAnError() {
        let value = Script {
            var outer = $0.unkeyedContainer()
            let kept = outer
            try outer.encode(
                Script { _ in
                    var kept = kept; try kept.encode(1)
                })
        }
        #expect(throws: EncodingError.self) { try text(value) }
    }

    @Test func aValueThatUsesTheEncoderAroundItIsAnError() {
        let scripts = [
            Script { outer in
                var single = outer.singleValueContainer()
                try single.encode(
                    Script {
                        var own = $0.container(keyedBy: Key.self); var other = outer.container(keyedBy: Key.self)
                        try own.encode(1, forKey: Key("a")); try other.encode(2, forKey: Key("b"))
                    })
            },
            Script { outer in
                var single = outer.singleValueContainer()
                try single.encode(Script { _ in try 1.encode(to: outer) })
            },
            Script { outer in
                var list = outer.unkeyedContainer()
                try list.encode(Script { _ in _ = outer.container(keyedBy: Key.self) })
            },
            Script { outer in
                var list = outer.unkeyedContainer()
                try list.encode(
                    Script { _ in
                        var same = outer.unkeyedContainer(); try same.encode(1)
                    })
            },
        ]
        for script in scripts { #expect(throws: EncodingError.self) { try text([script]) } }
    }

    // MARK: Encoders of values that are over

    @Test func theEncoderOfAnEarlierElementDoesNotReachTheNext() {
        var kept: (any Encoder)?
        let scripts = [
            Script {
                kept = $0; _ = $0.container(keyedBy: Key.self)
            },
            Script {
                var own = $0.container(keyedBy: Key.self)
                try own.encode(1, forKey: Key("own"))
                var late = kept?.container(keyedBy: Key.self)
                try late?.encode(2, forKey: Key("late"))
            },
        ]
        #expect(throws: EncodingError.self) { try text(scripts) }
    }

    @Test func theEncoderOfAFailedMemberDoesNotReachTheNextOne() {
        let value = Script {
            var kept: (any Encoder)?
            var container = $0.container(keyedBy: Key.self)
            try? container.encode(
                Script {
                    kept = $0; throw Refused()
                }, forKey: Key("a"))
            try container.encode(Script { _ in try 1.encode(to: kept!) }, forKey: Key("a"))
        }
        #expect(throws: EncodingError.self) { try text(value) }
    }

    @Test func theEncoderOfAFinishedMemberIsClosed() {
        let value = Script {
            var kept: (any Encoder)?
            var container = $0.container(keyedBy: Key.self)
            try container.encode(
                Script {
                    kept = $0; try 1.encode(to: $0)
                }, forKey: Key("a"))
            #expect(throws: EncodingError.self) { try 2.encode(to: kept!) }
            _ = kept?.container(keyedBy: Key.self)
        }
        #expect(throws: EncodingError.self) { try text(value) }
    }

    @Test func whatIsKeptBeyondTheEndIsClosed() throws {
        final class Keeper { var encoder: (any Encoder)?; var list: (any UnkeyedEncodingContainer)?; var inner: (any Encoder)? }
        let keeper = Keeper()
        let value = Script {
            keeper.encoder = $0
            keeper.list = $0.unkeyedContainer()
            keeper.inner = keeper.list?.superEncoder()
            throw Refused()
        }
        #expect(throws: Refused.self) { try text(value) }
        #expect(throws: EncodingError.self) { try keeper.list?.encode(1) }
        #expect(throws: EncodingError.self) { try 1.encode(to: keeper.encoder!) }
        #expect(throws: EncodingError.self) { try 1.encode(to: keeper.inner!) }
        var nested = keeper.list?.nestedUnkeyedContainer()
        #expect(throws: EncodingError.self) { try nested?.encode(1) }
    }

    // MARK: Two kinds

    @Test func aValueOfTwoKindsIsAnError() {
        let scripts = [
            Script {
                _ = $0.container(keyedBy: Key.self); _ = $0.unkeyedContainer()
            },
            Script {
                _ = $0.unkeyedContainer(); var single = $0.singleValueContainer(); try single.encode(1)
            },
            Script {
                try $0.unkeyedContainer().encodeOnce(1); var single = $0.singleValueContainer(); try single.encodeNil()
            },
            Script {
                try 1.encode(to: $0); _ = $0.container(keyedBy: Key.self)
            },
            Script {
                var container = $0.container(keyedBy: Key.self)
                let above = container.superEncoder()
                _ = above.container(keyedBy: Key.self)
                _ = above.unkeyedContainer()
            },
        ]
        for script in scripts {
            #expect(throws: EncodingError.self) { try text(script) }
            #expect(throws: EncodingError.self) { try text(["k": [script]]) }
        }
    }

    @Test(arguments: [1, 3])
    func finishedContainersAreNotKept(_ levels: Int) throws {
        let value = Script {
            var list = $0.unkeyedContainer()
            var last = list.nestedUnkeyedContainer()
            for number in 0..<5000 {
                last = list.nestedUnkeyedContainer()
                for _ in 1..<levels { last = last.nestedUnkeyedContainer() }
                try last.encode(number)
            }
            let run = try #require((last as? ArrayEncodingContainer)?.context.run)
            #expect(run.unfinished.count < 200)
        }
        let opening = String(repeating: "[", count: levels), closing = String(repeating: "]", count: levels)
        #expect(try text(value) == "[[]," + (0..<5000).map { "\(opening)\($0)\(closing)" }.joined(separator: ",") + "]")
    }

    /// A container that was put away is taken up again, with what it had and at its place.
    @Test func finishedContainersGoOn() throws {
        let value = Script {
            var container = $0.container(keyedBy: Key.self)
            for round in 0..<2 {
                for number in 0..<200 {
                    var nested = container.nestedContainer(keyedBy: Key.self, forKey: Key("k\(number)"))
                    try nested.encode(number, forKey: Key("r\(round)"))
                    try nested.encode(nested.codingPath.map(\.stringValue), forKey: Key("path"))
                }
            }
        }
        let expected = (0..<200).map { "\"k\($0)\":{\"r0\":\($0),\"r1\":\($0),\"path\":[\"k\($0)\"]}" }.joined(separator: ",")
        #expect(try text(value) == "{\(expected)}")
    }

    @Test func containersThatAreAskedForAndDroppedAreEmpty() throws {
        let value = Script {
            var container = $0.container(keyedBy: Key.self)
            _ = container.nestedContainer(keyedBy: Key.self, forKey: Key("a"))
            _ = container.nestedUnkeyedContainer(forKey: Key("b"))
            _ = container.superEncoder()
            _ = container.superEncoder(forKey: Key("c"))
            var list = container.nestedUnkeyedContainer(forKey: Key("d"))
            _ = (list.nestedContainer(keyedBy: Key.self), list.nestedUnkeyedContainer(), list.superEncoder())
        }
        #expect(try text(value) == #"{"a":{},"b":[],"super":{},"c":{},"d":[{},[],{}]}"#)
    }
}

extension UnkeyedEncodingContainer {
    fileprivate func encodeOnce(_ value: some Encodable) throws {
        var container = self
        try container.encode(value)
    }
}
