import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacBackground
@testable import TarmacTransfer

/// What becomes of an upload in a background session, whose adapter Linux does not have: a model of the session takes its place.
@Suite(.timeLimit(.minutes(10))) struct BackgroundUploadTests {
    private static let key = String(repeating: "a", count: 64)
    private let label = BackgroundLabel(description: "tarmac-1-upload \(key) ")

    private func request(isRepeatable: Bool) throws -> Request {
        Request(.post, try HTTPURL("https://host.test/f"), body: .text("body")).of(transfer: Self.key, isRepeatable: isRepeatable)
    }

    // MARK: Decisions

    @Test func aCallTakesWhatHasComeThenWhatIsUnderWayAndSendsNothingTwice() throws {
        let policy = BackgroundPolicy(), label = try #require(label)
        let states = BackgroundPolicy.TaskState.allCases.map { BackgroundPolicy.SeenTask(description: label.description, state: $0) }
        func start(_ tasks: [BackgroundPolicy.SeenTask] = [], _ change: (inout BackgroundPolicy.UploadFacts) -> Void = { _ in }) -> BackgroundPolicy.Start {
            var facts = BackgroundPolicy.UploadFacts()
            change(&facts)
            return policy.start(label, tasks: tasks, upload: facts)
        }
        #expect(start { ($0.hasCome, $0.isSent) = (true, true) } == .take)
        for state in states { #expect(start([.init(description: nil, state: .running), state]) { $0.isSent = true } == .adopt(1)) }
        #expect(start { $0.isSent = true } == .lost)
        #expect(start { ($0.isSent, $0.isReported) = (true, true) } == .prepare)
        #expect(start { ($0.isSent, $0.isRepeatable) = (true, true) } == .prepare)
        #expect(start() == .prepare)
        #expect(start { $0.hasBody = true } == .begin)
    }

    @Test func theEndOfATaskIsForgottenOnlyIfNothingWasSent() {
        let policy = BackgroundPolicy()
        #expect(policy.end(nil, isCancelled: false) == .arrived)
        #expect(policy.end(TarmacError(.transportFailed, phase: .sending), isCancelled: true) == .again)
        #expect(policy.end(TarmacError(.cannotFindHost, phase: .connecting), isCancelled: false) == .fail(forgets: true))
        #expect(policy.end(TarmacError(.connectionLost, phase: .receiving), isCancelled: false) == .fail(forgets: false))
        #expect(BackgroundPolicy.lostOutcome.reach == .mayHaveActed)
    }

    @Test func uploadsOfEarlierLaunchesGoOn() throws {
        let label = try #require(label)
        let tasks = [BackgroundPolicy.TaskState.suspended, .running].map { BackgroundPolicy.SeenTask(description: label.description, state: $0) }
        #expect(BackgroundPolicy().fates(of: tasks, known: []) == [.resume, .cancel])
    }

    @Test func aReplyThatCannotBeStoredIsNotTakenForWhole() {
        var calls = BackgroundCalls<Int>()
        let places = [calls.place(of: 10, task: 1), calls.place(of: 5, task: 1), calls.place(of: 5, task: 2)]
        #expect(places == [0, 10, 0])
        calls.spoilReply(task: 2)
        let spoiled = calls.place(of: 5, task: 2)
        #expect(spoiled == nil)
        let lengths = [calls.endReply(task: 1), calls.endReply(task: 2), calls.endReply(task: 3)]
        #expect(lengths == [15, nil, 0])
    }

    // MARK: Files

    @Test func aFormIsPutIntoAFileAndAFileStaysWhereItIs() async throws {
        let label = try #require(label), photo = noise(700_000)
        try await withFolder { folder in
            let store = try BackgroundResultStore(folder: "\(folder)/store")
            try Data(photo).write(to: URL(filePath: "\(folder)/photo"))
            let form = try Body.multipart([.field("title", "Sunrise"), .file("photo", "\(folder)/photo")], boundary: "b")
            let staged = try await store.stage(form, label)
            guard case .stream(let stream) = form.content else { return #expect(Bool(false), "not a stream") }
            let whole = try await stream.collect(upTo: .max).array
            #expect(content(staged.path) == whole)
            let file = try store.markSent(label, staged)
            #expect(content(file) == whole && store.isSent(label))
            store.removeBody(label)
            #expect(content(file) == nil && store.isSent(label))

            let own = try await store.stage(.file("\(folder)/photo"), label)
            #expect(try store.markSent(label, own) == "\(folder)/photo")
            store.discard(own)
            store.forgetSending(label)
            #expect(content("\(folder)/photo") == photo && !store.isSent(label))
            for body in [Body.none, .text("")] { #expect(content(try await store.stage(body, label).path) == []) }
            store.removeDrafts()
            #expect(names("\(folder)/store") == [])
        }
    }

    @Test func aBodyThatIsNotAsLongAsItSaysIsRefused() async throws {
        let label = try #require(label)
        try await withFolder { folder in
            let store = try BackgroundResultStore(folder: folder)
            let (source, bytes) = AsyncStream<Bytes>.makeStream()
            bytes.yield(Bytes("abc"))
            bytes.finish()
            let error = await #expect(throws: TarmacError.self) { try await store.stage(.stream(ByteStream(source), length: 5), label) }
            #expect(error?.code == .invalidParameter)
            #expect(names(folder) == [])
        }
    }

    @Test func aResponseIsTakenOnceAndALateOneIsSwept() async throws {
        let label = try #require(label), request = try request(isRepeatable: false)
        try await withFolder { folder in
            let store = try BackgroundResultStore(folder: folder)
            #expect(store.append(Data("left by a process that was killed".utf8), to: label, at: 0))
            #expect(store.append(Data("{}".utf8), to: label, at: 0) && store.append(Data(" ".utf8), to: label, at: 2))
            #expect(!store.append(Data("x".utf8), to: label, at: BackgroundResultStore.largestReply))
            try store.put(label, status: .created, headers: [.eTag: "\"1\""], isDecoded: false, reply: 3)
            #expect(store.has(label))
            let response = try await store.take(label, request, limit: 3)
            #expect(response.status == .created && response.body.collected == Bytes("{} ") && response.headers[.eTag] == "\"1\"")
            #expect(names(folder) == [])
            await #expect(throws: TarmacError.self) { try await store.take(label, request, limit: 3) }

            try store.put(label, status: .noContent, headers: [:], isDecoded: false, reply: 0)
            let now = Date().timeIntervalSince1970
            store.sweep(known: [], now: now + 29 * 86_400)
            store.sweep(known: [], tasks: [label], now: now + 31 * 86_400)
            #expect(store.has(label))
            store.sweep(known: [], now: now + 31 * 86_400)
            #expect(names(folder) == [])
        }
    }

    @Test func aResponseThatCannotBeStoredLeavesTheMark() async throws {
        let label = try #require(label)
        try await withFolder { folder in
            let store = try BackgroundResultStore(folder: folder)
            _ = try store.markSent(label, try await store.stage(.text("a"), label))
            #expect(throws: TarmacError.self) { try store.put(label, status: .ok, headers: [:], isDecoded: false, body: "\(folder)/none") }
            #expect(store.isSent(label) && !store.has(label))
            try store.put(label, status: .ok, headers: [:], isDecoded: false, reply: 0)
            #expect(!store.isSent(label) && store.has(label))
        }
    }

    // MARK: Kills

    /// An upload under a key is repeated until it has landed; one without is never sent twice, and its call learns what became of it.
    @Test(arguments: [true, false]) func anUploadLandsOnceHoweverOftenTheAppIsKilled(isRepeatable: Bool) async throws {
        var kills = 0, losses = 0, landings = 0
        for seed in 0..<200 {
            try await withFolder { folder in
                var run = UploadRun(folder: folder, request: try request(isRepeatable: isRepeatable), label: try #require(label), seed: UInt64(seed))
                let outcome = try await run.run()
                kills += run.kills
                losses += run.session.losses
                if outcome == .landed { landings += 1 }
                let count = run.session.received.count
                #expect(run.session.received.allSatisfy { $0 == Array("body".utf8) }, "seed \(seed)")
                #expect(count <= (isRepeatable ? 1 + run.session.losses : 1), "seed \(seed)")
                if outcome == .landed { #expect(count >= 1, "seed \(seed)") }
                #expect(isRepeatable ? outcome == .landed : outcome != .unknown, "seed \(seed)")
                if outcome == .landed { #expect(names(folder).filter { !$0.hasSuffix(".draft") } == [], "seed \(seed)") }
            }
        }
        #expect(kills >= 200 && losses > 0 && landings > 50)
        print("background upload, repeatable: \(isRepeatable): \(kills) kills, \(losses) outcomes lost, \(landings) of 200 landed")
    }
}

/// One upload over as many launches as it takes. The steps are those of the adapter.
private struct UploadRun {
    enum Outcome { case landed, lost, unknown }
    private struct Killed: Error {}
    private typealias Calls = BackgroundCalls<String>

    let folder: String
    let request: Request
    let label: BackgroundLabel
    private var chance: SeededGenerator
    private(set) var session = BackgroundSessionModel()
    private(set) var kills = 0
    private var calls = Calls()
    private var outcome: Outcome?

    init(folder: String, request: Request, label: BackgroundLabel, seed: UInt64) {
        (self.folder, self.request, self.label) = (folder, request, label)
        chance = SeededGenerator(seed: seed)
    }

    mutating func run() async throws -> Outcome {
        for _ in 0..<100 {
            do { try await launch() } catch is Killed { kills += 1 }
            if let outcome { return outcome }
            // The system goes on without the app.
            for _ in 0..<Int.random(in: 0...2, using: &chance) { session.goOn(&chance) }
            if Int.random(in: 0..<8, using: &chance) == 0 { session.cancelAll() }
        }
        return .unknown
    }

    /// The process may be killed here.
    private mutating func killPoint() throws { if Int.random(in: 0..<9, using: &chance) == 0 { throw Killed() } }

    private mutating func launch() async throws {
        calls = Calls()
        let store = try BackgroundResultStore(folder: folder)
        store.removeDrafts()
        if Int.random(in: 0..<2, using: &chance) == 0 { try await deliver(store) }
        var staged: BackgroundResultStore.Staged?
        for _ in 0..<40 {
            let ticket = calls.makeTicket(label)
            #expect(calls.admit(ticket, "call", abortion: nil) == nil)
            try killPoint()
            var facts = BackgroundPolicy.UploadFacts()
            (facts.hasCome, facts.isSent) = (store.has(label), store.isSent(label))
            (facts.hasBody, facts.isRepeatable) = (staged != nil, request.isRepeatableTransfer)
            switch calls.start(ticket, tasks: session.seen, upload: facts) {
            case .take:
                _ = calls.take(ticket)
                try killPoint()
                let response = try await store.take(label, request, limit: 100)
                #expect(response.body.collected == Bytes("reply") && response.status == .created)
                outcome = .landed
                return
            case .prepare:
                _ = calls.take(ticket)
                staged = try await store.stage(request.body, label)
                try killPoint()
                continue
            case .lost:
                _ = calls.take(ticket)
                outcome = .lost
                return
            case .adopt(let index):
                let task = session.numbers[index]
                calls.assign(task, to: ticket)
                session.resume(task)
            case .begin:
                guard let body = staged else { throw CancellationError() }
                staged = nil
                let file = try store.markSent(label, body)
                try killPoint()
                let task = session.makeTask(body: file)
                try killPoint()
                session.setLabel(label, of: task)
                calls.assign(task, to: ticket)
                try killPoint()
                session.resume(task)
            case .goOn: throw CancellationError()
            }
            // The call waits until its task has ended.
            while calls.isWaiting(ticket) {
                try killPoint()
                session.goOn(&chance)
                try await deliver(store)
            }
            if outcome != nil { return }
        }
    }

    private mutating func deliver(_ store: BackgroundResultStore) async throws {
        while let (event, task) = session.nextEvent() {
            guard case .completed(let number, var failure, let isCancelled) = event, task.label == label else { continue }
            do {
                try killPoint()
                if failure == nil {
                    for piece in ["re", "ply"] {
                        guard let place = calls.place(of: piece.utf8.count, task: number) else { throw CancellationError() }
                        #expect(store.append(Data(piece.utf8), to: label, at: place))
                        try killPoint()
                    }
                    guard let length = calls.endReply(task: number) else { throw CancellationError() }
                    do { try store.put(label, status: .created, headers: [:], isDecoded: false, reply: length) } catch { failure = error }
                }
            } catch {
                // The system does not tell it twice.
                session.losses += 1
                throw error
            }
            try killPoint()
            let (wait, ending) = calls.end(upload: number, label, failure: failure, isCancelled: isCancelled)
            store.removeBody(label)
            if case .fail(forgets: true) = ending { store.forgetSending(label) }
            // The app gives an upload up whose outcome is not known, unless it may be repeated.
            if case .fail(forgets: false) = ending, wait != nil, !request.isRepeatableTransfer { outcome = .lost }
        }
    }
}
