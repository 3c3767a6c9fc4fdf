import Foundation
import Tarmac
import TarmacCore

/// A process that makes calls and gets no answer.
///
///     CallChild COUNT
///
/// It makes COUNT calls twice. The first ones grow what a client keeps for later ones. While the second ones are in flight, it writes the
/// bytes that are allocated for each to standard output.
@main
struct CallChild {
    static func main() async throws {
        guard CommandLine.arguments.count == 2, let count = Int(CommandLine.arguments[1]), count > 0 else {
            FileHandle.standardError.write(Data("usage: CallChild COUNT\n".utf8))
            exit(2)
        }
        let gate = Gate()
        let client = Client(
            transport: TransportFactory(name: "silent") { _ in SilentTransport(gate: gate) }, services: [Service("s", host: "https://s.example")],
            concurrency: count)
        _ = try await fly(count, client, gate)
        print(try await fly(count, client, gate) / count)
    }

    /// Returns the bytes that are allocated while calls are in flight and were not before.
    private static func fly(_ count: Int, _ client: Client, _ gate: Gate) async throws -> Int {
        let before = AllocatedBytes.now
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count { group.addTask { try await client.get("/users/7") } }
            await gate.holds(count)
            let bytes = AllocatedBytes.now - before
            await gate.open()
            try await group.waitForAll()
            return bytes
        }
    }
}

/// Holds all requests until it opens.
private actor Gate {
    private var held: [CheckedContinuation<Void, Never>] = []
    private var awaited: (count: Int, waiter: CheckedContinuation<Void, Never>)?

    func enter() async {
        await withCheckedContinuation { continuation in
            held.append(continuation)
            if let awaited, held.count >= awaited.count {
                awaited.waiter.resume()
                self.awaited = nil
            }
        }
    }

    func holds(_ count: Int) async {
        if held.count < count { await withCheckedContinuation { awaited = (count, $0) } }
    }

    func open() {
        for continuation in held { continuation.resume() }
        held.removeAll(keepingCapacity: true)
    }
}

private struct SilentTransport: TarmacCore.Transport {
    let name = "silent"
    let capabilities: TransportCapabilities = [.separateHeaders, .backPressure]
    let gate: Gate

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        await gate.enter()
        exchange.report(.ended)
        return Response(status: .ok, url: request.url)
    }

    func shutdown() async {}
}
