#if Tools
import Foundation
import HTTPTypes
import Tarmac
import TarmacTesting

/// Calls of one kind, one after another.
struct StormLane {
    let kind: StormKind
    let lane: Int
    let client: Client
    let services: StormServices
    let box: StormOutbox
    let site: StormSite
    let notes: StormNotes
    var random: SeededGenerator
    /// The number of the next call, which no other call of the storm has.
    var next: Int
    /// The number of the last event that a lane of events has seen.
    var lastEvent = 0

    private var plain: ServiceClient { client[services.plain] }

    mutating func step() async {
        next += 1
        let began = ContinuousClock.now
        notes.began("\(kind.rawValue) lane \(lane)", "call \(next)")
        defer { notes.ended("\(kind.rawValue) lane \(lane)") }
        do {
            try await fly()
            notes.landed(kind)
        } catch {
            notes.failed(kind, error)
            // A wire that is down answers at once.
            await pause(milliseconds: 100)
        }
        let took = ContinuousClock.now - began
        if kind != .events, took > .seconds(kind.limit + 15) { notes.violated("\(kind.rawValue) \(next) took \(took)") }
    }

    private mutating func fly() async throws {
        switch kind {
        case .read: try check(try await plain.get("/get/\(next)", as: StormAnswer.self).n, next)
        case .keyed: try await post { $0.idempotencyKey = .automatic }
        case .bare: try await post { _ in }
        case .download: try await download()
        case .upload: try await upload()
        case .events: try await events()
        case .batch: await batch()
        case .token: try await authorized()
        case .cached: try await cached()
        case .cancel: try await cancel()
        case .deadline: try await slow()
        case .outbox: await box.enqueue(next)
        }
        await pause(milliseconds: kind == .outbox ? 150 : 30)
    }

    private func check(_ value: Int, _ expected: Int) throws {
        if value != expected { notes.violated("\(kind.rawValue) \(expected) was answered with \(value)") }
    }

    private mutating func pause(milliseconds: Int) async {
        try? await Task.sleep(for: .milliseconds(Int.random(in: 0...(2 * milliseconds), using: &random)))
    }

    // MARK: Calls

    /// Sent is claimed before, landed after: the server's ledger must hold each landed one once, and no other twice.
    private func post(_ configure: (inout Options) -> Void) async throws {
        notes.claim("sent", next)
        let answer = try await plain.post("/post/\(next)", ["n": next], as: StormAnswer.self, configure: configure)
        try check(answer.n, next)
        notes.claim("post", next)
    }

    private mutating func batch() async {
        let first = next
        next += 20
        let calls = (0..<20).map { InlineEndpoint<StormAnswer>.get("/get/\(first + $0)", as: StormAnswer.self).on(services.plain) }
        guard let results = try? await client.send(Batch(calls, limit: 6)) else { return notes.violated("a batch of results failed as a whole") }
        if results.count != 20 { notes.violated("a batch of 20 has \(results.count) results") }
        for (index, result) in results.enumerated() {
            switch result {
            case .success(let answer): try? check(answer.n, first + index)
            case .failure(let error): notes.failed(.batch, error)
            }
        }
    }

    /// A stored answer is used only when the server has said that it still holds: never an older one than at the start of the call.
    private mutating func cached() async throws {
        let earliest = Int(Date().timeIntervalSince1970 * 1_000) / 2_000
        let answer = try await plain.get("/cached/\(lane)\(next % 5)", as: StormAnswer.self) { $0.cache = .http }
        if answer.n < earliest { notes.violated("a stored answer of version \(answer.n) was used, \(earliest) was current") }
    }

    /// Ends soon after it was cancelled, and leaves at most one effect behind.
    private mutating func cancel() async throws {
        let number = next, isPost = Bool.random(using: &random), delay = Int.random(in: 0...400, using: &random)
        let client = plain
        notes.claim("sent", number)
        let call = Task {
            if isPost { return try await client.post("/post/\(number)", ["n": number], as: StormAnswer.self).n }
            return try await client.get("/slow/\(number)/250", as: StormAnswer.self).n
        }
        try? await Task.sleep(for: .milliseconds(delay))
        call.cancel()
        let cancelled = ContinuousClock.now
        let result = await call.result
        let took = ContinuousClock.now - cancelled
        if took > .seconds(5) { notes.violated("a call took \(took) to end after its cancellation") }
        if isPost, case .success = result { notes.claim("post", number) }
        try check(try result.get(), number)
    }

    private mutating func slow() async throws {
        let limit = Int.random(in: 50...1_500, using: &random)
        let began = ContinuousClock.now
        defer {
            let late = ContinuousClock.now - began - .milliseconds(limit)
            if late > .seconds(5) { notes.violated("a call ended \(late) after its deadline") }
        }
        try check(try await plain.get("/slow/\(next)/600", as: StormAnswer.self) { $0.deadline = .milliseconds(limit) }.n, next)
    }

    private func authorized() async throws {
        do {
            try check(try await client[services.tokens].get("/auth/\(next)", as: StormAnswer.self).n, next)
        } catch let error as TarmacError where error.code == .loggedOut || error.status == .unauthorized {
            let pair = try await plain.post("/login", ["n": next], as: StormAuthenticator.Pair.self) { $0.idempotencyKey = .automatic }
            try await client[services.tokens].logIn(AccessToken(pair.access, refreshToken: pair.refresh))
        }
    }
}
#endif
