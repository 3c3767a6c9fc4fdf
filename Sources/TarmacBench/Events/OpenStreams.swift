#if Tools
import Foundation
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacNIO
import TarmacStreams
import TarmacTesting

/// Many streams of events open at once over real sockets, and ordinary calls beside them. The servers are in this process, the client
/// in a child, so that its memory is its own.
struct OpenStreams {
    let count: Int
    private static let calls = 200

    struct Outcome: Codable {
        /// The memory of the streams, in bytes.
        var memory: Int
        /// In seconds.
        var slowestCall: Double
    }

    func measure() async throws -> Outcome {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
        let events = try ScriptedServer([.readRequest, .write(head + "data: first\n\n"), .hold("second"), .write("data: second\n\n"), .stall])
        let calls = try ScriptedServer(.serving("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"))
        defer {
            events.stop()
            calls.stop()
        }
        let process = Process(), output = Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0].resolvedExecutable)
        process.arguments = ["events", "--streams", "\(count)", "--events-at", events.url("/").string, "--calls-at", calls.url().origin.description]
        process.standardOutput = output
        try process.run()
        defer { process.terminate() }
        // The child's own first call, and those beside the streams.
        try await calls.received(count: Self.calls + 1)
        events.open("second")
        return try JSONDecoder().decode(Outcome.self, from: output.fileHandleForReading.readDataToEndOfFile())
    }

    /// The child's part.
    func read(_ events: String, beside calls: String) async throws -> Outcome {
        let client = Client(transport: .asyncHTTPClient, services: [Service("s", host: Hosts(calls))])
        // One of each first: what is measured is what many take, not the code that is read in.
        try await client.get("/warm")
        for try await _ in client.events(.get(events)) { break }
        let before = Memory.resident
        let seen = Locked(0)
        let reading = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<count {
                    group.addTask { for try await _ in client.events(.get(events)) { seen.withLock { $0 += 1 } } }
                }
                try await group.waitForAll()
            }
        }
        try await waitFor(count, seen)
        var slowest = 0.0
        for _ in 0..<Self.calls {
            let start = ContinuousClock.now
            try await client.get("/call")
            slowest = max(slowest, (ContinuousClock.now - start) / .seconds(1))
        }
        try await waitFor(2 * count, seen)
        let memory = Memory.resident - before
        reading.cancel()
        _ = try? await reading.value
        await client.shutdown()
        return Outcome(memory: memory, slowestCall: slowest)
    }

    private func waitFor(_ number: Int, _ seen: Locked<Int>) async throws {
        while seen.withLock({ $0 }) < number { try await Task.sleep(for: .milliseconds(5)) }
    }
}
#endif
