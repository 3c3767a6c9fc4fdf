import Dispatch
import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacStreams

/// Counts the transports alive and keeps weak references to everything that passes them.
final class Census: Sendable {
    let live = Watched(0)
    let made = Watched(0)
    let seen = Watched<[Weak]>([])

    func note(_ object: AnyObject) { seen.update { $0.append(Weak(object)) } }

    /// How many of the objects seen are alive.
    var survivors: Int { seen.value.count { $0.object != nil } }

    func factory(_ stub: StubTransport) -> TransportFactory {
        TransportFactory(name: "counted") { settings in
            CountedTransport(try TransportFactory.stub(stub).makeTransport(settings), self)
        }
    }
}

private final class CountedTransport: Transport {
    let name = "counted"
    let base: any Transport
    let census: Census
    var capabilities: TransportCapabilities { base.capabilities }

    init(_ base: any Transport, _ census: Census) {
        self.base = base
        self.census = census
        census.live.update { $0 += 1 }
        census.made.update { $0 += 1 }
    }

    deinit { census.live.update { $0 -= 1 } }

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        census.note(exchange)
        return try await base.send(request, exchange: exchange)
    }

    func shutdown() async { await base.shutdown() }
}

@Suite("Law 8: nothing grows, nothing stays", .timeLimit(.minutes(5)))
struct Law8Tests {
    private let census = Census()
    private let stub = StubTransport { _ in .json(#"{"n":1}"#) }

    private func client(concurrency: Int = 64, observing: Bool = false, time: any TimeSource = .system) -> Client {
        let services = ["a", "b"].map { name in
            Service(name, hosts: [.production: Hosts("https://\(name).example"), .test: Hosts("https://test.\(name).example")])
        }
        let client = Client(transport: census.factory(stub), services: services, concurrency: concurrency, time: time) { options in
            guard observing else { return }
            options.interceptors.append(
                Intercepting { [census] request, chain in
                    census.note(chain.context)
                    census.note(chain.context.runtime)
                    return try await chain.proceed(request)
                })
        }
        census.note(client.engine)
        return client
    }

    /// Calls of every kind, in both services, some of them cut off.
    private func fly(_ client: Client) async throws {
        for service in ["a", "b"].map({ Service($0, hosts: [:]) }) {
            try await client[service].get("/")
            _ = await failure { _ = try await client.send(InlineEndpoint<String>.get("http://[", as: String.self).on(service)) }
            try await client.stream(InlineEndpoint<Void>.get("/").on(service)) { _ in }
        }
        let owner = Owner(Watched([]))
        for _ in 0..<20 { client.startAnywhere(Fated(fate: .value), owner: owner) { $0.land($1) } }
        owner.lifetime.cancelAll()
    }

    @Test(arguments: [true, false])
    func afterShutdownNothingOfTheClientIsAlive(observing: Bool) async throws {
        do {
            let client = client(observing: observing)
            try await fly(client)
            client.environment = .test
            try await fly(client)
            #expect(census.made.value >= 4)
            await client.shutdown()
            #expect(stub.inFlight == 0)
            #expect(stub.shutdowns == census.made.value)
        }
        await eventually { census.live.value == 0 && census.survivors == 0 }
    }

    @Test func shutdownEndsTheCallsOfAnEnvironmentLeftToo() async throws {
        stub.hold()
        let client = client()
        let old = Task { try await client.get("/old") }
        try await stub.received(count: 1)
        client.environment = .test
        let new = Task { try await client.get("/new") }
        try await stub.received(count: 2)
        await client.shutdown()
        #expect(stub.inFlight == 0)
        #expect(stub.shutdowns == 2)
        for call in [old, new] { #expect(await failure { try await call.value }?.code == .clientShutDown) }
    }

    @Test func aShutdownWaitsForATransportThatIsBeingMade() async throws {
        let isMaking = Watched(false), goOn = DispatchSemaphore(value: 0)
        let factory = TransportFactory(name: "slow") { [stub] settings in
            isMaking.update { $0 = true }
            goOn.wait()
            return try TransportFactory.stub(stub).makeTransport(settings)
        }
        let client = Client(transport: factory, services: [Service("a", host: "https://a.example")])
        // A thread of its own: the factory blocks none of those that tasks run on.
        Thread.detachNewThread { _ = try? client.engine.runtime(.clientDefault) }
        await eventually { isMaking.value }
        let shutdown = Task { [stub] in
            await client.shutdown()
            return stub.shutdowns
        }
        await eventually { (try? client.engine.checkOpen()) == nil }
        goOn.signal()
        #expect(await shutdown.value == 1)
    }

    @Test func droppingTheLastCopyLeavesNothingEither() async throws {
        do { try await fly(client(observing: true)) }
        await eventually { census.live.value == 0 && census.survivors == 0 }
    }

    @Test(.heavy) func callsThatFlewLeaveNothingBehindWhileTheClientLives() async throws {
        // Time stands still: no limit that was forgotten goes away by itself.
        let client = client(observing: true, time: ManualTime())
        for _ in 0..<200 { try await client.get("/") }
        // The engine, its runtime, and no more.
        await eventually { Set(census.seen.value.compactMap { $0.object.map(ObjectIdentifier.init) }).count == 2 }
        #expect(try client.engine.runtime(.clientDefault).deadlines.count == 0)
    }

    @Test(.heavy) @MainActor func aHundredThousandStartsAndDropsLeaveNoObjectTaskOrTicket() async throws {
        stub.hold()
        let client = client(concurrency: 4)
        let landings = Watched<[String]>([])
        for _ in 0..<100 {
            for _ in 0..<1_000 {
                client.start(Fated(fate: .value), owner: Owner(landings)) { $0.land($1) }
            }
            await Task.yield()
        }
        let runtime = try client.engine.runtime(.clientDefault)
        await eventually { runtime.callsInFlight == 0 }
        #expect(runtime.callDispatcher.waiting < 200)
        #expect(runtime.deadlines.count == 0)
        #expect(stub.inFlight == 0)
        await eventually { census.survivors == 1 }
        #expect(landings.value.isEmpty)
        await client.shutdown()
    }

    @Test(.heavy) func callsCancelledInTheQueueDoNotPileUpBehindASlowOne() async throws {
        stub.hold()
        let client = client(concurrency: 1)
        let slow = Task { try await client.get("/slow") }
        try await stub.received(count: 1)
        let runtime = try client.engine.runtime(.clientDefault)
        for _ in 0..<50 {
            let calls = (0..<100).map { _ in Task { try await client.get("/never") } }
            await eventually { runtime.callsInFlight == 101 }
            for call in calls { call.cancel() }
            for call in calls { _ = await call.result }
        }
        #expect(runtime.callDispatcher.waiting < 300)
        stub.release()
        try await slow.value
        #expect(stub.requests.count == 1)
    }

    @Test(.heavy) func aStreamOfManyChunksIsNeverHeldWhole() async throws {
        let alive = Watched((now: 0, most: 0))
        let chunks = ByteStream { CountedChunks(1_000, alive) }
        let stub = StubTransport { _ in .stream(chunks) }
        let total = try await Client(stub).stream(.get("/")) { response in
            var total = 0
            for try await chunk in response.body { total += chunk.count }
            return total
        }
        #expect(total == 1_000 * 1_024)
        #expect(alive.value.most < 10)
        await eventually { alive.value.now == 0 }
    }
}

/// Chunks that count how many of them are alive.
private final class CountedChunks: ByteStreamSource {
    private final class Chunk: BytesOwner {
        let alive: Watched<(now: Int, most: Int)>
        let count = 1_024
        init(_ alive: Watched<(now: Int, most: Int)>) {
            self.alive = alive
            alive.update { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        }
        deinit { alive.update { $0.now -= 1 } }
        func withUnsafeBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
            [UInt8](repeating: 1, count: count).withUnsafeBytes(body)
        }
    }

    private let rest: Watched<Int>
    private let alive: Watched<(now: Int, most: Int)>

    init(_ count: Int, _ alive: Watched<(now: Int, most: Int)>) {
        rest = Watched(count)
        self.alive = alive
    }

    func next() async throws -> Bytes? {
        let isOver = rest.update { rest in
            defer { rest -= 1 }
            return rest <= 0
        }
        return isOver ? nil : Bytes(owner: Chunk(alive))
    }
}
