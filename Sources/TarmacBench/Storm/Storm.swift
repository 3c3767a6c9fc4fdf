#if Tools
import Foundation
import Tarmac
import TarmacSQLite
import TarmacTesting
@_spi(TarmacRooms) import TarmacCore

/// The life of one client: lanes of calls side by side for some time, the outbox to its end, and the shutdown.
struct Storm: Sendable {
    let site: StormSite
    let notes: StormNotes
    let seed: UInt64
    let life: Int

    /// The number of lanes of a kind that run side by side.
    private static let lanes: [(StormKind, Int)] = [
        (.read, 4), (.keyed, 4), (.bare, 2), (.download, 2), (.upload, 2), (.events, 2), (.batch, 1), (.token, 3), (.cached, 2), (.cancel, 2),
        (.deadline, 1), (.outbox, 1),
    ]

    /// AsyncHTTPClient ends a connection attempt after a minute and not before, and its shutdown waits for that.
    private static let shutdownLimit = Duration.seconds(65)

    func run(seconds: Int, whenOver: @Sendable () -> Void = {}) async throws {
        weak let engine = try await fly(seconds: seconds, whenOver: whenOver)
        for _ in 0..<100 where engine != nil { try await Task.sleep(for: .milliseconds(100)) }
        if engine != nil { notes.violated("something still holds the client's engine ten seconds after its shutdown") }
    }

    /// - Returns: the engine, which nothing holds any more.
    private func fly(seconds: Int, whenOver: @Sendable () -> Void) async throws -> Engine {
        let services = StormServices(site, notes: notes)
        let client = Client(transport: site.transport, services: services.all, concurrency: 32) {
            site.configure(&$0)
            $0.observers = [notes]
        }
        let box = try StormOutbox(client: client, services: services, notes: notes, path: site.folder + "/outbox-\(life).db")
        let end = ContinuousClock.now + .seconds(seconds)
        let lanes = Self.lanes.flatMap { kind, count in (0..<count).map { (kind, $0) } }
        await withTaskGroup(of: Void.self) { group in
            for (index, (kind, lane)) in lanes.enumerated() {
                group.addTask {
                    let random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(life * 1_000 + index))
                    var lane = StormLane(
                        kind: kind, lane: lane, client: client, services: services, box: box, site: site, notes: notes, random: random,
                        next: (life * 100 + index) * 10_000_000)
                    while ContinuousClock.now < end { await lane.step() }
                }
            }
        }
        whenOver()
        await box.drain()
        let began = ContinuousClock.now
        notes.began("client", "its shutdown")
        await client.shutdown()
        notes.ended("client")
        let took = ContinuousClock.now - began
        if took > Self.shutdownLimit { notes.violated("the shutdown of a client without calls took \(took)") }
        notes.shutDown(after: took)
        return client.engine
    }
}

/// The services of the storm, all at one server.
struct StormServices: Sendable {
    let plain: Service
    let tokens: Service

    init(_ site: StormSite, notes: StormNotes) {
        let plain = site.makeService("plain")
        self.plain = plain
        tokens = site.makeService("tokens") { $0.authenticator = Authentication(StormAuthenticator(service: plain, notes: notes)) }
    }

    var all: [Service] { [plain, tokens] }
}
#endif
