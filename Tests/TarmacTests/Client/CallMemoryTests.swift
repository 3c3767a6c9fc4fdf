import Foundation
import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// Growth is counted: the bytes that each call in flight holds in objects, and the events that are made for it.
@Suite("Memory of calls in flight")
struct CallMemoryTests {
    /// Keeps what it sees of a call.
    private struct Seen: Interceptor {
        let contexts = Locked<[CallContext]>([])
        func intercept(_ request: Request, chain: Chain) async throws -> Response {
            contexts.withLock { $0.append(chain.context) }
            return try await chain.proceed(request)
        }
    }

    private struct Answering: TarmacCore.Transport {
        let name = "answering"
        let capabilities: TransportCapabilities = [.separateHeaders]
        let exchanges = Locked<[Exchange]>([])
        func send(_ request: Request, exchange: Exchange) async throws -> Response {
            exchanges.withLock { $0.append(exchange) }
            return Response(status: .ok, url: request.url)
        }
        func shutdown() async {}
    }

    private final class CountingWork: SharedWork {
        let isObserved: Bool
        let told = Locked(0)
        init(isObserved: Bool) { self.isObserved = isObserved }
        func noteAttempt(at start: Moment) {}
        func note(_ timings: AttemptTimings) {}
        func tell(_ kind: CallEvent.Kind) { told.withLock { $0 += 1 } }
    }

    /// Returns the size of the allocation. On Linux, Foundation does not show the function of the C library.
    private static func bytes(_ object: AnyObject) throws -> Int {
        let pointer = Unmanaged.passUnretained(object).toOpaque()
        #if canImport(Darwin)
        return malloc_size(pointer)
        #else
        let size = try #require(dlsym(nil, "malloc_usable_size"))
        return unsafeBitCast(size, to: (@convention(c) (UnsafeMutableRawPointer) -> Int).self)(pointer)
        #endif
    }

    /// With 50,000 calls in flight, 100 bytes more in one of these are 5 MB.
    @Test func theObjectsOfACallAreSmall() async throws {
        let seen = Seen(), transport = Answering()
        let client = Client(
            transport: TransportFactory(name: "answering") { _ in transport }, services: [Service("s", host: "https://s.example")]
        ) { $0.interceptors = [seen] }
        try await client.get("/users/7")
        let context = try #require(seen.contexts.withLock { $0.first }), exchange = try #require(transport.exchanges.withLock { $0.first })
        #expect(try Self.bytes(context) <= 320)
        #expect(MemoryLayout<CallContext.Progress>.size <= 320)
        #expect(try Self.bytes(exchange) <= 320)
        #expect(MemoryLayout<Request>.size <= 16 && MemoryLayout<Response>.size <= 16)
        await client.shutdown()
    }

    #if os(Linux)
    /// All that is allocated for a call, in a process of its own: other tests allocate too. A debug build takes 9,100 to 9,200 bytes, a release
    /// build 8,200.
    @Test func theMemoryOfACallIsSmall() throws {
        let process = Process(), output = Pipe()
        let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        process.executableURL = folder.appendingPathComponent("CallChild")
        process.arguments = ["1000"]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let bytes = try #require(Int(text.prefix { $0 != "\n" }), "it ended with status \(process.terminationStatus)")
        #expect(bytes <= 10_500)
    }
    #endif

    /// An event masks the URL of its request, which costs more than the rest of an attempt.
    @Test(arguments: [true, false])
    func anEventThatNobodyObservesIsNotMade(isObserved: Bool) async throws {
        let seen = Seen(), work = CountingWork(isObserved: isObserved)
        let client = Client(StubTransport { _ in .status(.ok) }) { $0.interceptors = [seen] }
        try await client.get("/users/7")
        let context = try #require(seen.contexts.withLock { $0.first }).detached(for: work)
        var made = 0
        func kind() -> CallEvent.Kind {
            made += 1
            return .stage(CacheEvent.validated)
        }
        for _ in 0..<3 { context.emit(kind()) }
        #expect(made == (isObserved ? 3 : 0) && work.told.withLock { $0 } == made)
        await client.shutdown()
    }
}
