import Testing

@testable import TarmacJSON

/// Nested containers that were put away, or were values before, and are asked for again.
@Suite struct ReopenedContainerTests {
    private struct Script: Encodable {
        let run: (any Encoder) throws -> Void
        init(_ run: @escaping (any Encoder) throws -> Void) { self.run = run }
        func encode(to encoder: any Encoder) throws { try run(encoder) }
    }

    private typealias Key = AnyCodingKey
    private typealias Object = KeyedEncodingContainer<AnyCodingKey>

    private func text(_ encoder: TarmacJSONEncoder = TarmacJSONEncoder(), _ run: @escaping (any Encoder) throws -> Void) throws -> String {
        let bytes = try encoder.encodeBytes(Script(run))
        _ = try JSONDocument(bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func context(_ container: any UnkeyedEncodingContainer) throws -> EncodingContext {
        try #require(container as? ArrayEncodingContainer).context
    }

    /// Enough of them that whatever nobody holds is put away.
    private static func fill(_ container: inout Object, _ name: String) {
        for number in 0..<80 { _ = container.nestedUnkeyedContainer(forKey: Key("\(name)\(number)")) }
    }

    // MARK: Work and memory

    @Test func aContainerAskedForInEveryRoundIsSeldomCopied() throws {
        let rounds = 20_000
        let text = try text {
            var container = $0.container(keyedBy: Key.self)
            var copies = 0
            weak var last: EncodingContext?
            for round in 0..<rounds {
                // Nobody holds the log now.
                _ = container.nestedContainer(keyedBy: Key.self, forKey: Key("m\(round)"))
                var log = container.nestedUnkeyedContainer(forKey: Key("log"))
                try log.encode(round)
                let context = try context(log)
                if context !== last { copies += 1 }
                last = context
            }
            // Short ones first, which do not matter, and then one for each time the length doubles.
            #expect(3...40 ~= copies)
            let run = try #require(last).run
            #expect(run.finished.count < 3 * rounds * 6)
            #expect(run.unfinished.count < 100)
        }
        let json = try JSON(parsing: text)
        #expect(json["log"].elements.map(\.int) == (0..<rounds).map { $0 })
        #expect(json.count == rounds + 1)
    }

    @Test func textsOfContainersGoneOnWithAreGivenBack() throws {
        let text = try text {
            var container = $0.container(keyedBy: Key.self)
            for round in 0..<60 {
                for number in 0..<100 {
                    var list = container.nestedUnkeyedContainer(forKey: Key("k\(number)"))
                    try list.encode(round + 10)
                    let run = try context(list).run
                    // The longest the texts get is 18,200 bytes; copies of all rounds would be 550,000.
                    #expect(run.finished.count < 40_000)
                    #expect(run.unfinished.count < 100)
                }
            }
        }
        let list = (10..<70).map { "\($0)" }.joined(separator: ",")
        #expect(text == "{" + (0..<100).map { "\"k\($0)\":[\(list)]" }.joined(separator: ",") + "}")
    }

    // MARK: Layouts, keys, sizes

    /// Containers in containers, asked for in every round, with more members than a list of names is looked through for, some
    /// of them replaced; all held on to, or none.
    private func rounds(_ encoder: TarmacJSONEncoder, holds: Bool) throws -> String {
        try text(encoder) {
            var container = $0.container(keyedBy: Key.self)
            var held: [Any] = []
            for round in 0..<3 {
                for number in 0..<70 {
                    var object = container.nestedContainer(keyedBy: Key.self, forKey: Key("someKey\(number)"))
                    for member in 0..<(number % 7 == 0 ? 90 : 2) {
                        try object.encode(round, forKey: Key("memberName/\(round == 2 ? member : member + 90 * round)"))
                    }
                    var list = object.nestedUnkeyedContainer(forKey: Key("innerList"))
                    try list.encode(["a,}\"]\\": round])
                    var inner = object.nestedContainer(keyedBy: Key.self, forKey: Key("innerObject"))
                    try inner.encode([Int](), forKey: Key("inRound\(round)"))
                    if round == 1, number % 5 == 0 { try container.encode([round], forKey: Key("someKey\(number)")) }
                    if holds { held += [object, list, inner] as [Any] }
                }
            }
        }
    }

    @Test(arguments: [[], .prettyPrinted, .sortedKeys, [.prettyPrinted, .sortedKeys]] as [JSON.WritingOptions])
    func whatWasPutAwayGoesOnAsWhatWasNot(_ formatting: JSON.WritingOptions) throws {
        let keys: [TarmacJSONEncoder.KeyEncodingStrategy] = [
            .useDefaultKeys, .convertToSnakeCase, .custom { Key($0.map(\.stringValue).joined(separator: ".")) },
        ]
        for strategy in keys {
            var encoder = TarmacJSONEncoder()
            encoder.outputFormatting = formatting
            encoder.keyEncodingStrategy = strategy
            let text = try rounds(encoder, holds: false)
            #expect(text == (try rounds(encoder, holds: true)))
            let options = formatting.subtracting(.sortedKeys)
            #expect(text == String(decoding: try JSON(parsing: text).bytes(options), as: UTF8.self))
        }
    }

    // MARK: Children of what was put away

    @Test func aContainerGoneOnWithMayBeReplacedWithAllItsChildren() throws {
        let text = try text {
            var container = $0.container(keyedBy: Key.self)
            var live: [any UnkeyedEncodingContainer] = []
            for name in ["gone", "kept", "later"] {
                var object = container.nestedContainer(keyedBy: Key.self, forKey: Key(name))
                live.append(object.nestedUnkeyedContainer(forKey: Key("live")))
                for number in 0..<2 {
                    var child = object.nestedUnkeyedContainer(forKey: Key("c\(number)"))
                    try child.encode(number)
                }
            }
            Self.fill(&container, "x")
            for (number, name) in ["gone", "kept", "later"].enumerated() {
                var object = container.nestedContainer(keyedBy: Key.self, forKey: Key(name))
                try object.encode(true, forKey: Key("again"))
                var child = object.nestedUnkeyedContainer(forKey: Key("c1"))
                try child.encode("more")
                try live[number].encode(7)
            }
            try container.encode(1, forKey: Key("gone"))
            #expect(throws: EncodingError.self) { try container.encode(Double.nan, forKey: Key("kept")) }
            Self.fill(&container, "y")
            try live[0].encode("nowhere")
            try live[1].encode("here")
            var kept = container.nestedContainer(keyedBy: Key.self, forKey: Key("kept"))
            try kept.encode(false, forKey: Key("c0"))
            var other = container.nestedUnkeyedContainer(forKey: Key("later"))
            try other.encode("another kind")
        }
        var json = try JSON(parsing: text)
        for number in 0..<80 {
            json.remove("x\(number)")
            json.remove("y\(number)")
        }
        #expect(json.description == #"{"kept":{"live":[7,"here"],"c1":[1,"more"],"again":true,"c0":false},"gone":1,"later":["another kind"]}"#)
    }

    /// Numbers of contexts have bytes that are quotes, commas, backslashes, brackets or the mark of a placeholder itself.
    @Test func theNumbersOfChildrenAreNoText() throws {
        let count = 9000
        let text = try text {
            var container = $0.container(keyedBy: Key.self)
            do {
                var list = container.nestedUnkeyedContainer(forKey: Key("list"))
                for _ in 0..<count { _ = list.nestedUnkeyedContainer() }
                var object = container.nestedContainer(keyedBy: Key.self, forKey: Key("object"))
                for number in 0..<300 { _ = object.nestedContainer(keyedBy: Key.self, forKey: Key("k\(number)")) }
            }
            Self.fill(&container, "x")
            var list = container.nestedUnkeyedContainer(forKey: Key("list"))
            #expect(list.count == count)
            try list.encode(1)
            var object = container.nestedContainer(keyedBy: Key.self, forKey: Key("object"))
            for number in 0..<300 {
                var child = object.nestedContainer(keyedBy: Key.self, forKey: Key("k\(number)"))
                try child.encode(number, forKey: Key("n"))
            }
        }
        let list = String(repeating: "[],", count: count) + "1"
        let object = (0..<300).map { "\"k\($0)\":{\"n\":\($0)}" }.joined(separator: ",")
        #expect(text.hasPrefix("{\"list\":[\(list)],\"object\":{\(object)},\"x0\":[],"))
    }

    // MARK: Values of documents

    private func goneOn(
        _ source: String, _ formatting: JSON.WritingOptions = [], _ write: @escaping (inout Object) throws -> Void
    ) throws -> String {
        var encoder = TarmacJSONEncoder()
        encoder.outputFormatting = formatting
        let json = try JSON(parsing: source)
        return try text(encoder) {
            var container = $0.container(keyedBy: Key.self)
            try container.encode(json, forKey: Key("k"))
            var nested = container.nestedContainer(keyedBy: Key.self, forKey: Key("k"))
            try write(&nested)
        }
    }

    @Test(arguments: [#"{"a":1,"a":2}"#, #"{"a":1,"b":0,"a":2,"a":[3]}"#, #"{"\u0061":1,"a":2}"#, #"{"b":0, "\u0061":{"a":1,"a":2}}"#])
    func aKeyThatIsThereMoreThanOnceIsReplacedWhole(_ source: String) throws {
        let rest = source.contains("b") ? #""b":0,"# : ""
        for formatting in [[], .prettyPrinted, .sortedKeys] as [JSON.WritingOptions] {
            let text = try goneOn(source, formatting) { try $0.encode(3, forKey: Key("a")) }
            let sorted = formatting == .sortedKeys && !rest.isEmpty ? #""a":3,"b":0"# : "\(rest)\"a\":3"
            #expect(text == (try JSON(parsing: "{\"k\":{\(sorted)}}")).text(formatting))
        }
    }

    @Test func ofEqualKeysTheFirstGoesOn() throws {
        let few = try goneOn(#"{"a":{"x":1,"x":2},"b/":3,"a":{"y":4}}"#) {
            var inner = $0.nestedContainer(keyedBy: Key.self, forKey: Key("a"))
            try inner.encode(5, forKey: Key("z"))
            try $0.encode(6, forKey: Key("b/"))
        }
        #expect(few == #"{"k":{"a":{"x":1,"z":5},"b\/":6}}"#)
        let many = (0..<200).map { "\"m\($0 % 150)\":\($0)" }.joined(separator: ",")
        let text = try goneOn("{\(many)}") { try $0.encode(true, forKey: Key("m149")) }
        #expect(text == "{\"k\":{" + (0..<149).map { "\"m\($0)\":\($0)" }.joined(separator: ",") + ",\"m149\":true}}")
    }
}
