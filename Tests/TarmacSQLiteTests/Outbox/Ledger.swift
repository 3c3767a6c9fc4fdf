import Foundation
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting

/// What a server that knows idempotency keys has acted on: each key once, in the order it came.
final class Ledger: Sendable {
    struct Book: Sendable {
        /// By lane, in the order acted on.
        var lanes: [String: [Int]] = [:]
        var keys: Set<String> = []
        /// Requests whose key was known.
        var repeats = 0
        /// Requests it was too busy for.
        var busy = 0
        /// Requests without a key, or not as they should be.
        var faults: [String] = []
        var ended = 0
        var total: Int { keys.count }
        var arrivals: Int { total + repeats + busy }
    }
    let book = Watched(Book())
    private let chance: Locked<SeededGenerator>

    init(seed: UInt64) { chance = Locked(SeededGenerator(seed: seed)) }

    /// One in eight has a body that was kept as a file.
    private static func isWhole(_ request: RecordedRequest, _ index: Int) -> Bool {
        guard index % 8 == 3 else { return true }
        return request.bodyLength == 20_000 && request.body.array.allSatisfy { $0 == UInt8(truncatingIfNeeded: index) }
    }

    /// One request in fifty finds the server busy.
    func answer(_ request: RecordedRequest) -> Bytes {
        let isBusy = chance.withLock { Int.random(in: 0..<50, using: &$0) == 0 }
        let parts = request.path.split(separator: "/")
        let key = request.values("Idempotency-Key").first
        let status = book.update { book -> Int in
            guard parts.count == 3, let index = Int(parts[2]), let key, key == "\(parts[1])/\(parts[2])", Self.isWhole(request, index) else {
                book.faults.append("\(request.method) \(request.target) under \(key ?? "no key")")
                return 400
            }
            if isBusy {
                book.busy += 1
                return 503
            }
            guard book.keys.insert(key).inserted else {
                book.repeats += 1
                return 200
            }
            book.lanes[String(parts[1]), default: []].append(index)
            return 201
        }
        return Bytes(ServerScript.Step.response(status, "{}"))
    }
}

#if os(Linux)
/// The executable that is killed: beside the tests, where the package manager puts it.
enum ChildProcess {
    static let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("OutboxChild").path
    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Starts one; its end is noted in the ledger.
    static func start(_ ledger: Ledger, _ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.terminationHandler = { _ in ledger.book.update { $0.ended += 1 } }
        try process.run()
        return process
    }
}
#endif
