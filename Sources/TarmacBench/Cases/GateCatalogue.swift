#if Tools
import Foundation
import Tarmac
import TarmacStreams
import TarmacTesting

enum GateCatalogue {
    static let all: [Gate] = [staleConnections, slowBody, refused, shortTimeout, slowConsumer, cancelled, tenThousand]

    private static let ok = ServerScript.Step.reply(200, "ok")

    private static let staleConnections = Gate(name: "20 of 20 GETs over stale keep-alive connections") { client, figure in
        let server = try ScriptedServer(connections: [], then: [.readRequest, ok, .close])
        defer { server.stop() }
        var landed = 0
        for _ in 0..<20 where (try? await client.get(server.url().string)) != nil { landed += 1 }
        figure.value = "\(landed) of 20"
        return landed == 20
    }

    private static let slowBody = Gate(name: "a 1 s deadline ends a slow body") { client, figure in
        let server = try ScriptedServer([.readRequest, .write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), .stall])
        defer { server.stop() }
        return try await time(figure, within: 0.9...1.3) { try await client.get(server.url().string) { $0.deadline = .seconds(1) } }
    }

    private static let refused = Gate(name: "a refused connection is reported in < 100 ms") { client, figure in
        let server = try ScriptedServer([.close])
        let url = server.url().string
        server.stop()
        return try await time(figure, within: 0...0.1) { try await client.get(url) }
    }

    private static let shortTimeout = Gate(name: "a 0.2 s timeout fires at 0.2 s") { client, figure in
        let server = try ScriptedServer([.readRequest, .stall])
        defer { server.stop() }
        return try await time(figure, within: 0.19...0.3) { try await client.get(server.url().string) { $0.timeout = .seconds(0.2) } }
    }

    private static let slowConsumer = Gate(name: "512 MiB with a slow consumer stays under 64 MiB") { client, figure in
        let server = try ScriptedServer([
            .readRequest, .write("HTTP/1.1 200 OK\r\nContent-Length: \(512 << 20)\r\n\r\n"), .fill(65, count: 512 << 20), .close,
        ])
        defer { server.stop() }
        let idle = Memory.resident
        Memory.resetPeak()
        let total = try await client.stream(.get(server.url().string)) { response in
            var total = 0
            for try await chunk in response.body {
                // One pause every 8 MiB: the server is far ahead by then.
                if (total >> 23) != ((total + chunk.count) >> 23) { try await Task.sleep(for: .milliseconds(20)) }
                total += chunk.count
            }
            return total
        }
        let peak = Memory.peak - idle
        figure.value = "\(total >> 20) MiB read, \(peak >> 20) MiB above idle"
        return total == 512 << 20 && peak < 64 << 20
    }

    private static let cancelled = Gate(name: "no request is sent after its cancellation") { client, figure in
        let server = try ScriptedServer([.loop([.readRequest, .hold("answer"), ok])])
        defer { server.stop() }
        // LIFETIME: cancelled and awaited below.
        let calls = (0..<1_000).map { number in Task { try await client.get("\(server.url().string)\(number)") } }
        try await server.received(count: 6)
        for call in calls { call.cancel() }
        for call in calls { _ = await call.result }
        let sent = server.requests.count
        server.open("answer")
        try await Task.sleep(for: .milliseconds(300))
        figure.value = "\(server.requests.count - sent) late"
        return server.requests.count == sent
    }

    private static let tenThousand = Gate(name: "10,000 at once in under 100 MiB") { client, figure in
        let server = try ScriptedServer([.loop([.readRequest, ok])])
        defer { server.stop() }
        try await client.get(server.url().string)
        let idle = Memory.resident
        Memory.resetPeak()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10_000 { group.addTask { try await client.get(server.url().string) } }
            try await group.waitForAll()
        }
        let peak = Memory.peak - idle
        figure.value = "\(peak >> 20) MiB above idle, server in the same process"
        return peak < 100 << 20
    }

    /// Whether a call fails, and when.
    private static func time(_ figure: Gate.Figure, within range: ClosedRange<Double>, _ call: () async throws -> Void) async throws -> Bool {
        let before = Usage.now()
        var outcome = "landed"
        do { try await call() } catch let error as TarmacError { outcome = error.code.name }
        let wall = (Usage.now() - before).wall
        figure.value = "\(outcome) after \(Int(wall * 1e3)) ms"
        return outcome != "landed" && range.contains(wall)
    }
}
#endif
