import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacBackground

/// A transfer of the tests: an upload of its name.
private enum Media: Codable, Sendable {
    case photo(String)
    case film(String)
}

/// A queue over a stub.
private struct QueueRig: Sendable {
    let stub: StubTransport
    let time = ManualTime()
    let client: Client
    let folder: String
    let landed = Watched<[String]>([])
    /// What holds, and who is told of it.
    private let conditions = Locked<(TransferConditions, AsyncStream<TransferConditions>.Continuation?)>((.all, nil))

    init(_ folder: String, capabilities: TransportCapabilities = .everything, answer: @escaping StubRoute.Answer = { _ in .status(.ok) }) {
        self.folder = folder
        stub = StubTransport(capabilities: capabilities, answer: answer)
        client = Client(stub, time: time, seed: 3)
    }

    func hold(_ holding: TransferConditions) {
        let observer = conditions.withLock { conditions in
            conditions.0 = holding
            return conditions.1
        }
        observer?.yield(holding)
    }

    func queue(atOnce: Int = 1, failing: (any Error)? = nil) -> TransferQueue<Media> {
        let landed = landed, folder = folder, (stream, observer) = AsyncStream<TransferConditions>.makeStream()
        let holding = conditions.withLock { conditions in
            conditions.1 = observer
            return conditions.0
        }
        observer.yield(holding)
        return TransferQueue(client: client, folder: "\(folder)/queue", atOnce: atOnce, conditions: stream) { media in
            switch media {
            case .photo(let name): Upload(.text(name), to: Endpoints.post(name))
            case .film(let name): Download(.get("/\(name)"), to: "\(folder)/\(name)")
            }
        } landed: { media in
            if let failing { throw failing }
            if case .photo(let name) = media { landed.update { $0.append(name) } }
        }
    }

    /// The names in the order in which they were sent.
    var sent: [String] { stub.requests.map { $0.url.path.dropFirst().description } }
    var keys: [String?] { stub.requests.map { $0.headers[.idempotencyKey] } }
}

private enum Endpoints {
    static func post(_ name: String) -> InlineEndpoint<Void> { .post("/\(name)", as: Void.self) }
}

extension TransferQueue {
    fileprivate func state(of id: String) async throws -> TransferQueueEntry.State? { try await entries.first { $0.id == id }?.state }
    fileprivate func isEmpty() async throws -> Bool { try await entries.isEmpty }
}

@Suite(.timeLimit(.minutes(5))) struct TransferQueueTests {
    private func add(_ names: [String], to queue: TransferQueue<Media>, _ priority: CallPriority = .normal, when: TransferConditions = []) async throws {
        for name in names { try await queue.add(.photo(name), id: name, priority: priority, when: when) }
    }

    @Test func transfersGoByPriorityAndAge() async throws {
        try await withFolder { folder in
            let rig = QueueRig(folder), queue = rig.queue()
            try await queue.pause()
            try await add(["a", "b"], to: queue)
            try await add(["low"], to: queue, .low)
            try await add(["c", "d"], to: queue, .high)
            let listed = try await queue.entries
            #expect(listed.map(\.id) == ["c", "d", "a", "b", "low"])
            #expect(listed.allSatisfy { $0.state == .waiting })
            // A second addition under the ID changes its place.
            try await add(["b"], to: queue, .high)
            try await queue.resume()
            try await eventually { try await queue.isEmpty() }
            #expect(rig.sent == ["b", "c", "d", "a", "low"])
            #expect(rig.landed.value == rig.sent)
            #expect(names("\(folder)/queue") == ["queue.lock"])
        }
    }

    @Test func pausesOutliveTheProcess() async throws {
        try await withFolder { folder in
            let rig = QueueRig(folder)
            do {
                let queue = rig.queue()
                try await queue.pause()
                try await add(["a", "b"], to: queue)
                try await queue.pause("a")
                #expect(names("\(folder)/queue").contains("paused"))
            }
            let queue = try await reopened(rig)
            #expect(try await queue.entries.map(\.state) == [.paused, .waiting])
            #expect(rig.sent == [])
            try await queue.resume()
            try await eventually { try await queue.entries.map(\.id) == ["a"] }
            try await queue.resume("a")
            try await eventually { try await queue.isEmpty() }
            #expect(rig.sent == ["b", "a"])
        }
    }

    /// The queue of the next launch. The one before lets the folder go when its tasks have ended.
    private func reopened(_ rig: QueueRig, atOnce: Int = 1) async throws -> TransferQueue<Media> {
        let queue = rig.queue(atOnce: atOnce)
        try await eventually {
            do { return try await queue.entries.isEmpty || true } catch { return false }
        }
        return queue
    }

    @Test func aPausedTransferStopsAndBeginsAgainUnderItsKey() async throws {
        try await withFolder { folder in
            let rig = QueueRig(folder), queue = rig.queue()
            rig.stub.hold()
            try await add(["a", "b"], to: queue)
            try await rig.stub.received(count: 1)
            try await queue.pause("a")
            try await rig.stub.received(count: 2)
            rig.stub.release()
            try await eventually { try await queue.entries.map(\.id) == ["a"] }
            try await queue.resume("a")
            try await eventually { try await queue.isEmpty() }
            #expect(rig.sent == ["a", "b", "a"])
            #expect(rig.keys[0] != nil && rig.keys[0] == rig.keys[2] && rig.keys[0] != rig.keys[1])
        }
    }

    /// The process may end before the transfer has: its next conflict may be with this attempt.
    @Test func aTransferThatIsPausedWhileItRunsMayHaveArrived() async throws {
        try await withFolder { folder in
            let isOver = Watched(false)
            let rig = QueueRig(folder) { _ in
                _ = try await isOver.wait { $0 }
                return .status(.ok)
            }
            let queue = rig.queue()
            try await queue.add(.photo("a"), id: "a")
            try await rig.stub.received(count: 1)
            try await queue.pause("a")
            let record = try #require(names("\(folder)/queue").first { $0.hasSuffix(".entry") }.flatMap { content("\(folder)/queue/\($0)") })
            #expect(try JSONDecoder().decode(TransferQueueRecord.self, from: Data(record)).hasArrived)
            isOver.update { $0 = true }
        }
    }

    /// Bits that no condition has, in a damaged record or of a later version, are none.
    @Test(arguments: [-1, 1 << 9, .min]) func noTransferWaitsForAConditionThatIsNotKnown(_ needs: Int) async throws {
        try await withFolder { folder in
            let rig = QueueRig(folder), queue = rig.queue()
            try await queue.add(.photo("a"), id: "a", when: TransferConditions(rawValue: needs))
            await eventually { rig.landed.value == ["a"] }
        }
    }

    @Test func aTransferStopsWithItsConditionAndGoesOnWithIt() async throws {
        try await withFolder { folder in
            let rig = QueueRig(folder), queue = rig.queue()
            rig.stub.hold()
            try await add(["a"], to: queue, when: [.unmetered])
            try await rig.stub.received(count: 1)
            rig.hold(.network)
            try await rig.stub.isIdle()
            try await eventually { try await queue.state(of: "a") == .waiting }
            rig.stub.release()
            try await add(["b"], to: queue)
            try await eventually { try await queue.entries.map(\.id) == ["a"] }
            rig.hold(.all)
            try await eventually { try await queue.isEmpty() }
            #expect(rig.sent == ["a", "b", "a"])
        }
    }

    @Test func nothingStartsBeforeTheConditionsAreKnown() async throws {
        try await withFolder { folder in
            let stub = StubTransport { _ in .status(.ok) }, client = Client(stub)
            let conditions = AsyncStream<TransferConditions>.makeStream()
            let queue = TransferQueue<String>(client: client, folder: "\(folder)/q", conditions: conditions.stream) {
                Upload(.text($0), to: Endpoints.post($0))
            }
            try await queue.add("a", id: "a")
            #expect(try await queue.state(of: "a") == .waiting)
            #expect(stub.requests.isEmpty)
            conditions.continuation.yield(.network)
            try await eventually { try await queue.isEmpty() }
        }
    }

    @Test func aLastingFailureRestsAndLetsOthersGo() async throws {
        try await withFolder { folder in
            let refuses = Locked(true)
            let rig = QueueRig(folder) { request in .status(request.url.path == "/a" && refuses.withLock { $0 } ? .forbidden : .ok) }
            do {
                let queue = rig.queue()
                try await add(["a", "b"], to: queue)
                try await eventually { try await queue.entries.map(\.id) == ["a"] }
                try await eventually { if case .failed = try await queue.state(of: "a") { true } else { false } }
            }
            let queue = try await reopened(rig)
            guard case .failed(let reason) = try await queue.state(of: "a") else { return #expect(Bool(false), "it has not failed") }
            #expect(reason.contains("403"))
            refuses.withLock { $0 = false }
            try await queue.resume("a")
            try await eventually { try await queue.isEmpty() }
            #expect(rig.sent == ["a", "b", "a"])
            #expect(rig.keys[0] == rig.keys[2])
        }
    }

    @Test func aFailureThatMayPassIsTriedAgainAfterAPause() async throws {
        try await withFolder { folder in
            let failures = Locked(2)
            let rig = QueueRig(folder) { _ in
                let fails = failures.withLock { failures in
                    defer { failures -= 1 }
                    return failures > 0
                }
                if fails { throw TarmacError(.connectionLost, phase: .waiting) }
                return .status(.ok)
            }
            let queue = rig.queue()
            try await add(["a"], to: queue)
            for pause in [1, 2] {
                try await rig.stub.received(count: pause)
                try await eventually { try await queue.state(of: "a") == .waiting }
                await eventually { rig.time.nextDeadline.map { $0 <= .seconds(pause) && $0 >= .milliseconds(500 * pause) } ?? false }
                rig.time.advance(by: .seconds(pause))
            }
            try await eventually { try await queue.isEmpty() }
            #expect(rig.sent == ["a", "a", "a"])
            #expect(Set(rig.keys).count == 1)
        }
    }

    @Test func aNewNetworkEndsThePauseAndNoPauseOfTheServers() async throws {
        try await withFolder { folder in
            let asked = Locked(false)
            let rig = QueueRig(folder) { request in
                if request.url.path == "/busy", !asked.withLock({ $0 }) { return .status(.serviceUnavailable, headers: [.retryAfter: "100"]) }
                if request.url.path == "/a", !asked.withLock({ $0 }) { throw TarmacError(.cannotFindHost, phase: .connecting) }
                return .status(.ok)
            }
            let queue = rig.queue(atOnce: 2)
            try await add(["a", "busy"], to: queue)
            try await rig.stub.received(count: 2)
            try await rig.stub.isIdle()
            try await eventually { try await queue.entries.allSatisfy { $0.state == .waiting } && rig.time.nextDeadline != nil }
            asked.withLock { $0 = true }
            rig.hold([])
            rig.hold(.network)
            try await eventually { try await queue.entries.map(\.id) == ["busy"] }
            #expect(rig.sent.sorted() == ["a", "a", "busy"])
            rig.time.advance(by: .seconds(101))
            try await eventually { try await queue.isEmpty() }
        }
    }

    @Test func aRemovedTransferIsCancelledAndForgotten() async throws {
        try await withFolder { folder in
            let rig = QueueRig(folder), queue = rig.queue()
            rig.stub.hold()
            try await add(["a"], to: queue)
            try await rig.stub.received(count: 1)
            try await queue.remove("a")
            // Another one under the ID is another transfer.
            try await add(["a"], to: queue)
            try await rig.stub.received(count: 2)
            rig.stub.release()
            try await eventually { try await queue.isEmpty() }
            #expect(rig.keys[0] != rig.keys[1])
            #expect(rig.landed.value == ["a"])
            try await queue.remove("never there")
        }
    }

    @Test func theNextLaunchContinuesWhatRan() async throws {
        try await withFolder { folder in
            let rig = QueueRig(folder)
            rig.stub.hold()
            do {
                let queue = rig.queue()
                try await add(["a"], to: queue, .low)
                try await rig.stub.received(count: 1)
                try await add(["b"], to: queue, .high)
            }
            try await rig.stub.isIdle()
            rig.stub.release()
            let queue = try await reopened(rig)
            try await eventually { try await queue.isEmpty() }
            #expect(rig.sent == ["a", "a", "b"])
            #expect(rig.keys[0] == rig.keys[1])
        }
    }

    @Test func oneQueueAtATimeHasTheFolder() async throws {
        try await withFolder { folder in
            let rig = QueueRig(folder), queue = rig.queue()
            try await queue.pause()
            let second = rig.queue()
            let error = await #expect(throws: TarmacError.self) { try await second.entries }
            #expect(error?.code == .storeFailed)
            await #expect(throws: TarmacError.self) { try await second.add(.photo("a"), id: "a") }
        }
    }

    @Test(arguments: [Data("{".utf8), Data(), Data("null".utf8), Data("[1]".utf8), Data(noise(4_000)), Data(count: 2 << 20)])
    func aDamagedRecordIsSetAsideAndReported(content: Data) async throws {
        try await withFolder { folder in
            let rig = QueueRig(folder), events = EventRecorder()
            rig.client.options.observers = [events]
            do {
                let queue = rig.queue()
                try await queue.pause()
                try await add(["a", "b"], to: queue)
            }
            let files = names("\(folder)/queue").filter { $0.hasSuffix(".entry") }
            try content.write(to: URL(filePath: "\(folder)/queue/\(files[0])"))
            try Data("draft".utf8).write(to: URL(filePath: "\(folder)/queue/\(files[1]).part-7"))
            let queue = try await reopened(rig)
            #expect(try await queue.entries.count == 1)
            let warnings = events.events.compactMap { if case .warning(let text) = $0.kind { text } else { nil } }
            #expect(warnings.count == 1 && warnings[0].contains(files[0]))
            #expect(names("\(folder)/queue").filter { $0.hasSuffix(".damaged") || $0.contains(".part-") } == ["\(files[0]).damaged"])
        }
    }

    /// In place of the file: a folder, which cannot be read, nor replaced by a file.
    private func block(_ place: String) throws { try FileManager.default.createDirectory(atPath: place + "/x", withIntermediateDirectories: true) }

    @Test func aRecordThatCannotBeReadNowIsNotTakenForNone() async throws {
        try await withFolder { folder in
            let rig = QueueRig(folder)
            do {
                let queue = rig.queue()
                try await queue.pause()
                try await add(["a"], to: queue)
            }
            let file = try #require(names("\(folder)/queue").first { $0.hasSuffix(".entry") }), place = "\(folder)/queue/\(file)"
            func key() throws -> String { try JSONDecoder().decode(TransferQueueRecord.self, from: Data(contentsOf: URL(filePath: place))).key }
            let before = try key()
            try FileManager.default.moveItem(atPath: place, toPath: "\(folder)/kept")
            try block(place)
            let queue = rig.queue()
            // Also an addition under its ID, which would have another key.
            await #expect(throws: TarmacError.self) { try await queue.entries }
            await #expect(throws: TarmacError.self) { try await add(["a"], to: queue) }
            try FileManager.default.removeItem(atPath: place)
            try FileManager.default.moveItem(atPath: "\(folder)/kept", toPath: place)
            try await eventually {
                do { return try await queue.entries.map(\.id) == ["a"] } catch { return false }
            }
            try await add(["a"], to: queue)
            #expect(try key() == before)
        }
    }

    @Test func aTransferWhoseRecordCannotBeWrittenIsTriedAgain() async throws {
        try await withFolder { folder in
            let rig = QueueRig(folder)
            rig.hold([])
            let queue = rig.queue()
            try await add(["a"], to: queue)
            let file = try #require(names("\(folder)/queue").first { $0.hasSuffix(".entry") }), place = "\(folder)/queue/\(file)"
            try FileManager.default.removeItem(atPath: place)
            try block(place)
            rig.hold(.all)
            await eventually { rig.time.nextDeadline != nil }
            #expect(rig.sent == [])
            try FileManager.default.removeItem(atPath: place)
            rig.time.advance(by: .seconds(1))
            try await eventually { try await queue.isEmpty() }
            #expect(rig.sent == ["a"])
        }
    }

    @Test func anIDIsItsBytes() async throws {
        try await withFolder { folder in
            let rig = QueueRig(folder), queue = rig.queue()
            try await queue.pause()
            try await queue.add(.photo("one"), id: "e\u{301}")
            try await queue.add(.photo("other"), id: "\u{E9}")
            #expect(try await queue.entries.count == 2)
            try await queue.remove("e\u{301}")
            try await queue.resume()
            try await eventually { try await queue.isEmpty() }
            #expect(rig.landed.value == ["other"])
        }
    }

    @Test func aFailedLandingIsTheTransfersFailure() async throws {
        struct Full: Error {}
        try await withFolder { folder in
            let rig = QueueRig(folder), queue = rig.queue(failing: Full())
            try await add(["a"], to: queue)
            try await eventually { if case .failed = try await queue.state(of: "a") { true } else { false } }
        }
    }

    @Test func anAppThatDoesNotKnowAValueAnyMoreSeesItFail() async throws {
        struct Other: Codable, Sendable { var size: Int }
        try await withFolder { folder in
            let rig = QueueRig(folder)
            do {
                let queue = rig.queue()
                try await queue.pause()
                try await add(["a"], to: queue)
            }
            try await eventually {
                let queue = TransferQueue<Other>(client: rig.client, folder: "\(folder)/queue") { _ in Download(.get("/f"), to: "\(folder)/f") }
                do { try await queue.resume() } catch { return false }
                try await eventually { if case .failed = try await queue.state(of: "a") { true } else { false } }
                return true
            }
        }
    }

    @Test func downloadsLandAndProgressIsTold() async throws {
        try await withFolder { folder in
            let bytes = noise(100_000)
            let rig = QueueRig(folder) { _ in .bytes(Bytes(bytes)) }, queue = rig.queue()
            rig.stub.hold()
            try await queue.add(.film("film"), id: "film")
            try await rig.stub.received(count: 1)
            try await eventually { if case .running = try await queue.state(of: "film") { true } else { false } }
            rig.stub.release()
            var last: [TransferQueueEntry]?
            for await entries in queue.changes() {
                last = entries
                if entries.isEmpty { break }
            }
            #expect(last == [])
            #expect(content("\(folder)/film") == bytes)
            #expect(rig.keys == [nil])
        }
    }

    @Test func aTransportThatWaitsByItselfGetsTheTransferAtOnce() async throws {
        try await withFolder { folder in
            let rig = QueueRig(folder, capabilities: .background)
            rig.hold([])
            let queue = rig.queue()
            try await add(["a"], to: queue, when: [.unmetered])
            try await eventually { try await queue.isEmpty() }
            #expect(rig.sent == ["a"])
        }
    }
}
