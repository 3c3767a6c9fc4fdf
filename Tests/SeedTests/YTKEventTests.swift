import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

@Suite("YTKNetwork: measures and the log", .timeLimit(.minutes(5)))
struct YTKEventTests {
    // YTK-27: the events of an attempt, of a failure and of a cancellation have durations too.
    @Test func attemptsFailuresAndCancellationsAreMeasured() async throws {
        let (time, attempts, ends) = (ManualTime(), Locked<[Duration]>([]), Locked<[Duration]>([]))
        let measuring = ClosureObserver { event in
            switch event.kind {
            case .attemptTimed(let timings): attempts.withLock { $0.append(timings.total) }
            case .failed(_, let duration): ends.withLock { $0.append(duration) }
            case .cancelled(let duration): ends.withLock { $0.append(duration) }
            default: break
            }
        }
        let failing = StubTransport { _ in
            time.advance(by: .seconds(3))
            return .status(.notFound)
        }
        let refused = Client(failing, time: time) { $0.observers = [measuring] }
        await #expect(throws: TarmacError.self) { try await refused.get("/") }
        #expect(attempts.withLock { $0 } == [.seconds(3)])
        #expect(ends.withLock { $0 } == [.seconds(3)])
        let held = StubTransport.user
        held.hold()
        let waiting = Client(held, time: time) { $0.observers = [measuring] }
        let call = Task { try await waiting.get("/") }
        try await held.received()
        time.advance(by: .seconds(4))
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(ends.withLock { $0 } == [.seconds(3), .seconds(4)])
    }

    // YTK-27: the logger is the same in every build: no source asks whether the build is one for debugging.
    @Test func theLogIsTheSameInEveryBuild() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let logger = try String(contentsOf: root.appendingPathComponent("Sources/TarmacLog/ConsoleLogger.swift"), encoding: .utf8)
        #expect(logger.contains("struct ConsoleLogger") && !logger.contains("#if"))
        for room in ["TarmacCore", "TarmacLog"] {
            let folder = root.appendingPathComponent("Sources/\(room)").path
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
            #expect(!names.isEmpty)
            for name in names {
                let text = try String(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"), encoding: .utf8)
                #expect(!text.contains("DEBUG") && !text.contains("DebugAssertConfiguration"), "\(room)/\(name)")
            }
        }
    }
}
