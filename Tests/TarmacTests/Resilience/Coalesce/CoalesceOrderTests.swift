import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience

/// Calling, cancelling, answering and waiting in hundreds of random orders, each with a ledger of who landed with what.
@Suite("Coalescing: any order", .timeLimit(.minutes(5)))
struct CoalesceOrderTests {
    /// One run: what was done, and what came of it.
    private final class Run: Sendable {
        struct Ledger {
            /// By call.
            var landings: [Int: [String]] = [:]
            var answers = 0
            var count: Int { landings.values.reduce(0) { $0 + $1.count } }
        }
        struct Call {
            let key: Int
            let hasDeadline: Bool
            let handle: CallHandle
            var isCancelled = false
        }
        let ledger = Watched(Ledger())
        let time = ManualTime()
        let owner = Owner(Watched([]))
        let recorder = EventRecorder()
        let stub: StubTransport
        let client: Client

        /// - Parameter failures: one answer of so many is a failure.
        init(failures: Int) {
            let stub = StubTransport { [ledger] request in
                let number = ledger.update { ledger in
                    ledger.answers += 1
                    return ledger.answers
                }
                if number.isMultiple(of: failures) { throw TarmacError(.connectionRefused, phase: .connecting) }
                return .json(#"{"n":\#((Int(request.url.path.dropFirst()) ?? 0) * 1_000 + number)}"#)
            }
            stub.hold()
            self.stub = stub
            client = Client(stub, time: time) { [recorder] in
                ($0.coalesces, $0.timeout, $0.observers) = (true, .unlimited, [recorder])
            }
        }

        func start(_ id: Int, key: Int, deadline: TimeLimit?) -> Call {
            let handle = client.startAnywhere(.get("/\(key)", as: Number.self), owner: owner) {
                $0.deadline = deadline
            } landed: { [ledger] _, result in
                let text = if case .success(let number) = result { "\(number.n / 1_000)" } else { Owner.text(result) }
                ledger.update { $0.landings[id, default: []].append(text) }
            }
            return Call(key: key, hasDeadline: deadline != nil, handle: handle)
        }
    }

    /// Laws 1 and 7: a landing for each, none twice, nobody's but one's own; a cancellation and a deadline are one call's own.
    @Test func everyCallLandsOnceAndNoFlightIsLeft() async throws {
        var (calls, requests) = (0, 0)
        for seed in 0..<300 {
            var random = SeededGenerator(seed: UInt64(seed))
            let run = Run(failures: Int.random(in: 2...6, using: &random))
            var flown: [Run.Call] = []
            for _ in 0..<30 {
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<4:
                    let deadline: TimeLimit? = Bool.random(using: &random) ? .seconds(Double(Int.random(in: 1...4, using: &random))) : nil
                    flown.append(run.start(flown.count, key: Int.random(in: 1...2, using: &random), deadline: deadline))
                case 4, 5:
                    guard let index = flown.indices.randomElement(using: &random) else { break }
                    flown[index].isCancelled = true
                    flown[index].handle.cancel()
                case 6: run.stub.release(1)
                case 7: run.time.advance(by: .seconds(1))
                default: for _ in 0..<Int.random(in: 1...20, using: &random) { await Task.yield() }
                }
            }
            run.stub.release()
            let count = flown.count
            try await run.ledger.wait { $0.count >= count }
            try await run.stub.isIdle()
            let coalescer = try run.client.engine.runtime(.clientDefault).scope.coalescer
            #expect(coalescer.count == 0, "\(seed)")
            await run.client.shutdown()
            check(flown, run, seed)
            calls += count
            requests += run.stub.requests.count
        }
        #expect(requests < calls)
    }

    private func check(_ flown: [Run.Call], _ run: Run, _ seed: Int) {
        for (id, call) in flown.enumerated() {
            let landings = run.ledger.value.landings[id] ?? []
            #expect(landings.count == 1, "\(seed): \(id) landed with \(landings)")
            switch landings.first {
            case "\(call.key)", "connectionRefused": break
            case "cancelled": #expect(call.isCancelled, "\(seed): nobody cancelled \(id)")
            case "deadlineExceeded": #expect(call.hasDeadline, "\(seed): \(id) has no deadline")
            case let other: Issue.record("\(seed): \(id) landed with \(other ?? "nothing")")
            }
        }
        let ends = run.recorder.names.filter { ["landed", "failed", "cancelled"].contains($0) }
        #expect(ends.count == flown.count, "\(seed): \(ends.count) ends of \(flown.count) calls")
        #expect(run.stub.requests.count <= flown.count)
    }
}
