#if Tools
import HTTPTypes
import Tarmac
import TarmacTesting

/// Parameters set one by one.
struct GrowthParameters: GrowthWork {
    private static let total = 10_000

    var name: String { "parameters of a call, set one by one" }
    var unit: String { "\(Self.total) parameters" }
    var sizes: [Int] { [10, 100, 1_000, 10_000] }

    func prepare(size: Int) async throws -> @Sendable () async throws -> Void {
        let names = (0..<size).map { "id\($0)" }
        return {
            for _ in 0..<(Self.total / size) {
                var list = ParameterList()
                for (number, name) in names.enumerated() { try list.set(name, to: number) }
                precondition(list.count == size, "a parameter is missing")
            }
        }
    }
}

/// The steps of a chain that a loop builds.
struct GrowthChainSteps: GrowthWork {
    private static let total = 10_000

    var name: String { "steps of a chain, added one by one" }
    var unit: String { "\(Self.total) steps" }
    var sizes: [Int] { [10, 100, 1_000, 10_000] }

    func prepare(size: Int) async throws -> @Sendable () async throws -> Void {
        {
            for _ in 0..<(Self.total / size) {
                var chain = RequestChain(value: 0)
                for _ in 0..<size { chain = chain.then { RequestChain(value: $0 + 1) } }
                precondition(chain.count == size, "a step is missing")
            }
        }
    }
}
#endif
