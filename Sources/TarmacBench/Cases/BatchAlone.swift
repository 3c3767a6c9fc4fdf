#if Tools
import HTTPTypes
import Tarmac
import TarmacTesting

/// A batch against the task group one would write without it: the same calls, over a transport that answers from memory.
enum BatchAlone {
    fileprivate struct GetUser: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .get("/users/{id}")
        var id: Int
    }

    enum Work: String, CaseIterable, Codable {
        case allOrNothing
        case outcomes

        fileprivate func fly(_ users: [GetUser], on client: Client) async throws {
            switch self {
            case .allOrNothing: _ = try await client.send(Batch(allOrNothing: users))
            case .outcomes: for outcome in try await client.send(Batch(users)) { try outcome.get() }
            }
        }
    }

    struct Result: Codable {
        var work: Work
        var calls: Int
        var rounds: Int
        /// Of processor time, per call, in microseconds: medians.
        var groupCPU: Double
        var batchCPU: Double
        var cpu: Ratio
        var wall: Ratio
    }

    /// Alternating rounds, the order turned each time, each over a stub of its own: a stub keeps every request.
    static func measure(_ work: Work, calls: Int, rounds: Int) async throws -> Result {
        let users = (0..<calls).map { GetUser(id: $0) }
        let group: (Client) async throws -> Void = { try await fly(users, inGroupOn: $0) }
        let batch: (Client) async throws -> Void = { try await work.fly(users, on: $0) }
        var pairs: [(group: Usage, batch: Usage)] = []
        for round in -3..<rounds {
            let isFirst = round % 2 == 0
            let first = try await usage(isFirst ? group : batch), second = try await usage(isFirst ? batch : group)
            // The rounds below zero warm up.
            if round >= 0 { pairs.append(isFirst ? (first, second) : (second, first)) }
        }
        return Result(
            work: work, calls: calls, rounds: rounds, groupCPU: pairs.map { $0.group.cpu / Double(calls) * 1e6 }.median,
            batchCPU: pairs.map { $0.batch.cpu / Double(calls) * 1e6 }.median, cpu: Ratio(pairs.map { ($0.group.cpu, $0.batch.cpu) }),
            wall: Ratio(pairs.map { ($0.group.wall, $0.batch.wall) }))
    }

    private static func usage(_ fly: (Client) async throws -> Void) async throws -> Usage {
        let client = Client(transport: .stub { _ in .status(.ok) }, services: [Service("s", host: "http://127.0.0.1")])
        try await client.get("/")
        let before = Usage.now()
        try await fly(client)
        let used = Usage.now() - before
        await client.shutdown()
        return used
    }

    /// The least there is: nothing is kept.
    private static func fly(_ users: [GetUser], inGroupOn client: Client) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for user in users { group.addTask { try await client.send(user) } }
            try await group.waitForAll()
        }
    }
}
#endif
