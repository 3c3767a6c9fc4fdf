#if Tools
import Tarmac
import TarmacTesting

/// A thousand calls to a server that never answers, cancelled at once.
enum Cancellation {
    static func run(_ contender: any Contender) async throws -> ChildCase.Outcome {
        let server = try ScriptedServer([.readRequest, .stall])
        defer { server.stop() }
        let url = server.url().string
        // LIFETIME: cancelled and awaited below.
        let calls = (0..<1_000).map { _ in Task { _ = try await contender.get(url) } }
        // URLSession opens six connections, AsyncHTTPClient sixty-four: wait for what both have.
        try await server.received(count: 6)
        try await Task.sleep(for: .milliseconds(300))
        let sent = server.requests.count
        let before = Usage.now()
        for call in calls { call.cancel() }
        for call in calls { _ = await call.result }
        let used = Usage.now() - before
        try await Task.sleep(for: .milliseconds(300))
        return ChildCase.Outcome(wall: used.wall, cpu: used.cpu, memory: 0, late: server.requests.count - sent)
    }
}
#endif
