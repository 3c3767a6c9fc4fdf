#if Tools
import Foundation
import Tarmac
import TarmacNIO
import TarmacTesting

/// Many streams of events open at once over real sockets, and ordinary calls beside them.
struct OpenStreams {
    let count: Int

    func measure() async throws -> (memory: Int, slowestCall: Double) {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
        let events = try ScriptedServer([.readRequest, .write(head + "data: first\n\n"), .hold("second"), .write("data: second\n\n"), .stall])
        let calls = try ScriptedServer(.serving("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"))
        defer {
            events.stop()
            calls.stop()
        }
        let client = Client(transport: .asyncHTTPClient, services: [Service("s", host: Hosts(calls.url().origin.description))])
        try await client.get("/warm")
        let before = Memory.resident
        let seen = Locked(0)
        let reading = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<count {
                    group.addTask { for try await _ in client.events(.get(events.url("/").string)) { seen.withLock { $0 += 1 } } }
                }
                try await group.waitForAll()
            }
        }
        try await waitFor(count, seen)
        var slowest = 0.0
        for _ in 0..<200 {
            let start = ContinuousClock.now
            try await client.get("/call")
            slowest = max(slowest, (ContinuousClock.now - start) / .seconds(1))
        }
        events.open("second")
        try await waitFor(2 * count, seen)
        let memory = Memory.resident - before
        reading.cancel()
        _ = try? await reading.value
        await client.shutdown()
        return (memory, slowest)
    }

    private func waitFor(_ number: Int, _ seen: Locked<Int>) async throws {
        while seen.withLock({ $0 }) < number { try await Task.sleep(for: .milliseconds(5)) }
    }
}
#endif
