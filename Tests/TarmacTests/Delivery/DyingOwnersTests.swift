import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacGroups
@testable import TarmacPresentation

/// What the test holds of its owners, and what must not happen to those it let go.
private final class Register: Presenter {
    struct State {
        var isDead: [Bool]
        var calledBack = 0
        var afterDeath = 0
        var up: Set<Int> = []
        var prompts = 0
    }
    let state: Watched<State>
    init(_ count: Int) { state = Watched(State(isDead: Array(repeating: false, count: count))) }

    func die(_ number: Int) { state.update { $0.isDead[number] = true } }

    func callBack(_ number: Int) {
        state.update { state in
            state.calledBack += 1
            if state.isDead[number] { state.afterDeath += 1 }
        }
    }

    func loadingBegan(_ loading: Loading) {
        state.update { _ = $0.up.insert(loading.id) }
        check(loading.host)
    }
    func loadingEnded(_ loading: Loading) { state.update { _ = $0.up.remove(loading.id) } }
    func present(_ error: PresentedError) {
        state.update { $0.prompts += 1 }
        check(error.host)
    }

    private func check(_ host: AnyObject?) {
        guard let number = (host as? Mortal)?.number else { return }
        state.update { if $0.isDead[number] { $0.afterDeath += 1 } }
    }
}

private final class Mortal: LifetimeOwner, Sendable {
    let lifetime = Lifetime()
    let number: Int
    init(_ number: Int) { self.number = number }
}

/// Places for one call at a time, which owners share.
@MainActor
private final class Slots {
    let replacing = CallSlot(.replace)
    let queued = CallSlot(.queue, limit: 8)
    let debounced = CallSlot(.debounce(.zero))
    var all: [any AnyObject & Sendable] { [replacing, queued, debounced] }
}

/// How an owner's calls are made.
private enum Mode: CaseIterable {
    case start, failing, work, whole, held, batch, chain, graph, replacing, queued, debounced, shared

    @MainActor
    func start(_ client: Client, _ owner: Mortal, _ register: Register, _ slots: Slots) {
        let number = owner.number
        let landed: @MainActor (Mortal, Result<Number, any Error>) -> Void = { _, _ in register.callBack(number) }
        switch self {
        case .start: client.start(.get("/", as: Number.self), owner: owner, landed: landed)
        case .failing: client.start(.get("/bad", as: Number.self), owner: owner, landed: landed)
        case .work:
            let work = ClientWork { client in
                _ = try? await client.get("/bad", as: Number.self)
                return try await client.get("/", as: Number.self)
            }
            client.start(work, owner: owner, landed: landed)
        case .whole:
            let work = ClientWork { client in
                try await client.flyingAsOne(.batch, name: "batch") { client in
                    async let first = client.get("/", as: Number.self)
                    async let second = client.get("/bad", as: Number.self)
                    return try await (first, second).0
                }
            }
            client.start(work, owner: owner, landed: landed)
        case .batch:
            client.start(Batch([Item(id: number), Item(id: 1), Item(id: 2)], limit: 2), owner: owner) { _, _ in register.callBack(number) }
        case .chain:
            client.start(RequestChain(Item(id: number)).then { Item(id: $0.n + 1) }, owner: owner) { _, _ in register.callBack(number) }
        case .graph:
            var graph = RequestGraph()
            let first = graph.add(Item(id: number))
            graph.add(after: first) { Item(id: $0.n + 1) }
            graph.add(ClientWork { client in _ = try? await client.get("/bad", as: Number.self) })
            client.start(graph, owner: owner) { _, _ in register.callBack(number) }
        case .replacing: slots.replacing.start(.get("/", as: Number.self), on: client, owner: owner, landed: landed)
        case .queued: slots.queued.start(.get("/", as: Number.self), on: client, owner: owner, landed: landed)
        case .debounced: slots.debounced.start(.get("/", as: Number.self), on: client, owner: owner, landed: landed)
        case .shared: client.start(.get("/shared", as: Number.self), owner: owner, configure: { $0.coalesces = true }, landed: landed)
        case .held: client.call(.get("/", as: Number.self), owner: owner, landed: { owner in { landed(owner, $0) } }).start()
        }
    }
}

// Issue: 10,000 owners dying at random moments leave no callback, no indicator and no object behind.
@MainActor
@Suite("Owners that die at random moments", .timeLimit(.minutes(5)))
struct DyingOwnersTests {
    @Test(.heavy, arguments: [1, 2] as [UInt64])
    func leaveNoCallbackIndicatorOrObjectBehind(seed: UInt64) async throws {
        let count = 10_000
        var random = SeededGenerator(seed: seed)
        let register = Register(count)
        let objects = Watched<[Weak]>([])
        let starts = Watched(0), ends = Watched(0)
        let stub = StubTransport { request in
            // Some answers come at once, others after a while.
            for _ in 0..<Int.random(in: 0..<20) { await Task.yield() }
            return request.url.path == "/bad" || request.url.path.hasSuffix("7") ? .json("{}", status: .notFound) : .json(#"{"n":1}"#)
        }
        let client = Client(stub, register) {
            $0.hooks = [
                CallHooks(willStart: { _ in starts.update { $0 += 1 } }, didStop: { _, _ in ends.update { $0 += 1 } }),
                .onMainActor(willStart: { _ in starts.update { $0 += 1 } }, didStop: { _, _ in ends.update { $0 += 1 } }),
            ]
            $0.interceptors = [
                Intercepting { request, chain in
                    objects.update { $0.append(Weak(chain.context)) }
                    return try await chain.proceed(request)
                }
            ]
        }
        var alive: [Mortal] = []
        var slots = Slots()
        for number in 0..<count {
            let owner = Mortal(number)
            objects.update { $0 += [Weak(owner), Weak(owner.lifetime)] }
            if number.isMultiple(of: 100) {
                slots = Slots()
                let new = slots.all.map { Weak($0) }
                objects.update { $0 += new }
            }
            (Mode.allCases.randomElement(using: &random) ?? .start).start(client, owner, register, slots)
            alive.append(owner)
            if Int.random(in: 0..<3, using: &random) == 0 { await Task.yield() }
            while alive.count > 50 || !alive.isEmpty && Bool.random(using: &random) {
                register.die(alive.remove(at: Int.random(in: 0..<alive.count, using: &random)).number)
            }
        }
        for owner in alive { register.die(owner.number) }
        alive = []
        slots = Slots()
        let runtime = try client.engine.runtime(.clientDefault)
        await eventually { runtime.callsInFlight == 0 && client.engine.wholes.isEmpty }
        await eventually { register.state.value.up.isEmpty && client.engine.indicators.count == 0 }
        await eventually { starts.value == ends.value }
        #expect(register.state.value.afterDeath == 0)
        #expect(register.state.value.calledBack > 0, "some lived long enough")
        #expect(register.state.value.calledBack < count, "some did not")
        #expect(client.engine.callsInFlight.isEmpty)
        await eventually { objects.value.allSatisfy { $0.object == nil } }
        await client.shutdown()
    }
}
