import Testing

@testable import TarmacJSON

/// Paths are those of the tape, in whatever order they are asked for.
@Suite struct PathFinderTests {
    /// Arrays and objects of up to 300 children, some nested.
    private static func text(_ random: inout SeededGenerator, depth: Int = 3) -> String {
        let count = Int.random(in: 0...(depth == 3 ? 300 : 100), using: &random)
        let children = (0..<count).map { _ in
            depth > 0 && Int.random(in: 0..<40, using: &random) == 0 ? text(&random, depth: depth - 1) : "1"
        }
        guard Bool.random(using: &random) else { return "[" + children.joined(separator: ",") + "]" }
        return "{" + children.enumerated().map { "\"k\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    private static func values(of tape: Tape, below index: Int = 0) -> [Int] {
        guard tape[index].isContainer else { return [index] }
        let keyWords = tape[index].kind == .object ? 1 : 0
        var (found, child) = ([index], index + 1)
        while child < tape.end(of: index) {
            found += values(of: tape, below: child + keyWords)
            child = tape.next(after: child + keyWords)
        }
        return found
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func pathsAreThoseOfTheTapeInAnyOrder(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        // Holds the tape.
        let document = try JSONDocument(Self.text(&random))
        defer { withExtendedLifetime(document) {} }
        let tape = document.storage.tape
        let values = Self.values(of: tape)
        let right = Dictionary(uniqueKeysWithValues: values.map { ($0, tape.path(to: $0).components) })
        var finder = PathFinder(tape: tape, root: 0)
        for index in values + values.reversed() + values.shuffled(using: &random) + zip(values, values.reversed()).flatMap({ [$0, $1] }) {
            let path = finder.path(to: index)
            #expect(path == right[index])
        }
    }

    @Test func anInnerRootIsWhereThePathBegins() throws {
        let document = try JSONDocument(#"[0,{"a":[1,2]},3]"#)
        defer { withExtendedLifetime(document) {} }
        let tape = document.storage.tape
        var finder = PathFinder(tape: tape, root: 2)
        #expect([6, 5, 6, 2, 7, 1, 4].map { finder.path(to: $0) } == [["a", 1], ["a", 0], ["a", 1], [], [], [], ["a"]])
    }
}
