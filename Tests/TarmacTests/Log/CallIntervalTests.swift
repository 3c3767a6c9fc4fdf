import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacLog
import TarmacTesting
import Testing

/// The intervals of calls that instruments show.
struct CallIntervalTests {
    /// An observer that opens and closes intervals as the system's log does.
    private struct Observer: EventObserver {
        let intervals = CallIntervals<String>()
        let ended = Watched<[String]>([])

        func receive(_ event: CallEvent) {
            switch CallIntervalStep(event.kind) {
            case .begin: intervals.begin(event, event.endpoint)
            case .end: if let name = intervals.end(event) { ended.update { $0.append(name) } }
            case nil: break
            }
        }
    }

    @Test func eachCallIsOneIntervalHoweverItEnds() async throws {
        let observer = Observer()
        let client = Client(
            transport: .stub { $0.url.path == "/lost" ? .status(.serviceUnavailable) : .text("ok") }, services: [Service("s", host: "https://s.example")]
        ) {
            $0.observers = [observer]
            $0.retry = .exponential(maxAttempts: 3, base: .zero)
        }
        _ = try await client.get("fine", as: String.self)
        _ = try? await client.get("lost", as: String.self)
        let cancelled = Task { try await client.get("fine", as: String.self) }
        cancelled.cancel()
        _ = await cancelled.result
        #expect(observer.intervals.count == 0)
        #expect(observer.ended.value.filter { $0.contains("lost") }.count == 1)
    }

    @Test func endWithoutBeginIsNoInterval() {
        let intervals = CallIntervals<Int>()
        let event = CallEvent(call: 1, endpoint: "e", service: "s", attempt: 1, instant: .now, kind: .cancelled(duration: .zero))
        #expect(intervals.end(event) == nil)
        intervals.begin(event, 1)
        intervals.begin(event, 2)
        #expect(intervals.end(event) == 1 && intervals.end(event) == nil)
    }
}
