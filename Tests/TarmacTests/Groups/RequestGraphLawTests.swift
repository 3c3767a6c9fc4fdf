import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacGroups

/// A graph made at random, and what it should come to, worked out one node after the other.
private struct RandomGraph {
    struct Node {
        var needs: [Int]
        var fails: Bool
    }
    let nodes: [Node]

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let density = Double.random(in: 0...0.5, using: &random)
        let failures = Double.random(in: 0...0.2, using: &random)
        nodes = (0..<Int.random(in: 1...40, using: &random)).map { index in
            Node(
                needs: (0..<index).filter { _ in Double.random(in: 0...1, using: &random) < density }.shuffled(using: &random),
                fails: Double.random(in: 0...1, using: &random) < failures)
        }
    }

    enum Expected: Equatable {
        case value(Int)
        case failed
        /// The failed nodes one of which it was not flown for.
        case notFlown(Set<Int>)
    }

    /// A node lands as its number and the sum of what it needs, wrapped.
    static func value(_ index: Int, _ needed: [Int]) -> Int { needed.reduce(index &* 31 &+ 1) { $0 &* 17 &+ $1 } % 1_000_003 }

    var expected: [Expected] {
        var expected: [Expected] = []
        for (index, node) in nodes.enumerated() {
            var values: [Int] = [], roots: Set<Int> = []
            for need in node.needs {
                switch expected[need] {
                case .value(let value): values.append(value)
                case .failed: roots.insert(need)
                case .notFlown(let further): roots.formUnion(further)
                }
            }
            expected.append(!roots.isEmpty ? .notFlown(roots) : node.fails ? .failed : .value(Self.value(index, values)))
        }
        return expected
    }
}

@Suite("Random graphs", .timeLimit(.minutes(5)))
struct RequestGraphLawTests {
    @Test(.heavy, arguments: 0..<60)
    func aGraphComesToWhatItsNodesComeToOneAfterTheOther(seed: Int) async throws {
        let random = RandomGraph(seed: UInt64(seed))
        let limit = [nil, 1, 2, 5][seed % 4]
        let flights = Locked((now: 0, most: 0, order: [Int](), landed: Set<Int>()))
        var graph = RequestGraph()
        var nodes: [RequestGraph.Node<Int>] = []
        for (index, node) in random.nodes.enumerated() {
            let made = graph.add(afterAll: node.needs.map { nodes[$0] }, named: "\(index)") { needed in
                ClientWork { _ in
                    flights.withLock { flights in
                        flights.now += 1
                        flights.most = max(flights.most, flights.now)
                        flights.order.append(index)
                        #expect(node.needs.allSatisfy(flights.landed.contains), "node \(index) took off too early")
                    }
                    for _ in 0..<(index * 7 % 5) { await Task.yield() }
                    flights.withLock { flights in
                        flights.now -= 1
                        flights.landed.insert(index)
                    }
                    if node.fails { throw Foreign(number: index) }
                    return RandomGraph.value(index, needed)
                }
            }
            nodes.append(made)
        }
        let board = ProgressBoard()
        graph.limit = limit
        let flown = try await Client(StubTransport { _ in .text("") }).send(graph, progress: board.note)

        let expected = random.expected
        for (index, node) in nodes.enumerated() {
            switch (flown.result(of: node), expected[index]) {
            case (.success(let value), .value(let right)): #expect(value == right)
            case (.failure(let error as TarmacError), .failed):
                #expect(error.code == .callerFailed && error.cause(as: Foreign.self)?.number == index)
                #expect(error.member?.index == index)
            case (.failure(let error as TarmacError), .notFlown(let roots)):
                #expect(error.code == .dependencyFailed && error.member?.index == index)
                #expect(error.cause(as: Foreign.self).map { roots.contains($0.number) } == true)
            case (let result, let right): Issue.record("node \(index): \(result), not \(right)")
            }
        }
        let (most, order) = flights.withLock { ($0.most, $0.order) }
        #expect(most <= limit ?? .max)
        #expect(Set(order).count == order.count)
        #expect(order.count == expected.count { if case .notFlown = $0 { false } else { true } })
        #expect(board.onlyGrows)
        #expect(board.reports.value.last?.completed == random.nodes.count)
        #expect(board.reports.value.last?.failed == expected.count { if case .value = $0 { false } else { true } })
    }
}
