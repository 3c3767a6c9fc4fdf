#if Tools
import HTTPTypes
import Tarmac

/// Batches, chains and graphs with more and more members.
enum GrowthGroups {
    private static let sizes = [10, 100, 1_000, 10_000]

    static var rows: [GrowthRow] { [batch, chain, graph].map { GrowthRow(work: $0, bar: 1.5) } }

    private static var client: Client { Client(transport: .instant, services: [Service("s", host: "https://s.example")]) }

    private static let batch = GrowthCase(name: "members of a batch", unit: "call", sizes: sizes) { size in
        let client = client
        return { _ = try await client.send(Batch(allOrNothing: (0..<size).map { .get("/users/\($0)", as: Void.self) })) }
    }

    private static let chain = GrowthCase(name: "steps of a chain that runs", unit: "call", sizes: sizes) { size in
        let client = client
        return {
            var chain = RequestChain(value: ())
            for number in 0..<size { chain = chain.then { .get("/users/\(number)", as: Void.self) } }
            try await client.send(chain)
        }
    }

    private static let graph = GrowthCase(name: "nodes of a graph", unit: "call", sizes: sizes) { size in
        let client = client
        return {
            var graph = RequestGraph(limit: 64)
            var last = graph.add(.get("/users/0", as: Void.self))
            for number in 1..<size { last = graph.add(after: last) { _ in .get("/users/\(number)", as: Void.self) } }
            try await client.send(graph).check()
        }
    }
}
#endif
