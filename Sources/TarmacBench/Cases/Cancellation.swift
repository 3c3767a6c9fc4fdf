#if Tools
import Tarmac
import TarmacTesting

/// A thousand calls to a server that never answers, cancelled at once, the newest first.
///
/// The oldest hold the connections. Were they cancelled first, each would free one for a call that waits and is not yet
/// cancelled itself: rightly sent, and counted as late. So any request the server sees after the first cancellation is one
/// that was sent after its own.
enum Cancellation {
    static func run(_ contender: any Contender) async throws -> ChildCase.Outcome {
        let server = try ScriptedServer([.readRequest, .stall])
        defer { server.stop() }
        let base = server.url().string
        // LIFETIME: cancelled and awaited below.
        let calls = (0..<1_000).map { number in Task { _ = try await contender.get("\(base)\(number)") } }
        let sent = try await settled(server)
        let before = Usage.now()
        for call in calls.reversed() { call.cancel() }
        for call in calls { _ = await call.result }
        let used = Usage.now() - before
        try await Task.sleep(for: .milliseconds(300))
        return ChildCase.Outcome(wall: used.wall, cpu: used.cpu, memory: 0, late: server.requests.count - sent)
    }

    /// How many requests are on the wire when no more come. URLSession opens six connections, AsyncHTTPClient sixty-four.
    private static func settled(_ server: ScriptedServer) async throws -> Int {
        try await server.received(count: 6)
        var count = 0
        repeat {
            count = server.requests.count
            try await Task.sleep(for: .milliseconds(300))
        } while server.requests.count > count
        return count
    }
}
#endif
