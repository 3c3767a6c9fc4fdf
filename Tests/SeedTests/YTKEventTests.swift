import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

@Suite("YTKNetwork: measures, the log and filters", .timeLimit(.minutes(5)))
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

    // YTK-27: a filter sees the request: its method, the template of its route and the name of its endpoint.
    @Test func aFilterSeesTheRequest() throws {
        let seen = Locked<[String]>([])
        let client = Client(.user) {
            $0.urlFilters = [
                .filter { url, request in
                    seen.withLock { $0.append("\(request.method) \(request.template) \(request.endpoint)") }
                    return url
                }
            ]
        }
        _ = try client.request(for: GetUser(id: 7))
        // The template and the name as GetUser of the seed tests has them.
        #expect(seen.withLock { $0 } == ["GET /users/{id} GetUser"])
    }

    // YTK-27: the folder of the cache is a request's own choice too.
    @Test func aRequestHasACacheFolderOfItsOwn() async throws {
        let folder = try TemporaryFolder()
        let (shared, own) = (try FileCacheStore(folder: folder.path("shared")), try FileCacheStore(folder: folder.path("own")))
        let client = Client(.user) { ($0.cacheStore, $0.cache) = (.store(shared), .ttl(.seconds(60))) }
        try await client.get("/a")
        try await client.get("/b") { $0.cacheStore = .store(own) }
        try await client.cache.flush()
        #expect(try await shared.statistics().entries == 1)
        #expect(try await own.statistics().entries == 1)
    }
}
