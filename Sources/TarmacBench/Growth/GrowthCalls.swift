#if Tools
import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore

/// Calls that are in flight, wait or end together.
enum GrowthCalls {
    private static let sizes = [100, 1_000, 10_000]
    private static let manySizes = [100, 1_000, 10_000, 50_000]
    private static let service = Service("s", host: "https://s.example")

    private static let newMemory =
        "Each call in flight has 8 KiB. A hundred of them stay in the processor's cache and reuse the memory of the calls "
        + "before; 50,000 take 400 MB that the system hands out page by page. With pages of 2 MiB (GLIBC_TUNABLES=glibc.malloc.hugetlb=1) "
        + "the ratio was 1.9 where it was 2.2 without."

    static var rows: [GrowthRow] {
        [
            GrowthRow(work: inFlight, bar: 2, why: newMemory), GrowthRow(work: memory, bar: nil, last: 8_192),
            GrowthRow(work: waiting, bar: 2), GrowthRow(work: cancelled, bar: 2, why: newMemory), GrowthRow(work: coalesced, bar: 2),
            GrowthRow(work: retried, bar: 2), GrowthRow(work: refreshed, bar: 2), GrowthRow(work: slot, bar: 2),
        ]
    }

    private static func client(
        _ transport: TransportFactory, concurrency: Int = 100_000, _ configure: (inout Options) -> Void = { _ in }
    ) -> Client { Client(transport: transport, services: [service], concurrency: concurrency, configure: configure) }

    /// Starts `count` calls, does `meanwhile`, and waits for all.
    private static func fly(
        _ count: Int, on client: Client,
        call: @escaping @Sendable (Client, Int) async throws -> Void = { client, _ in try await client.get("/users/7") },
        meanwhile: () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count { group.addTask { try await call(client, number) } }
            try await meanwhile()
            while let ended = await group.nextResult() { if case .failure(let error) = ended, !(error is CancellationError) { throw error } }
        }
    }

    /// Sleeps, which takes no processor time, until as many calls have surely begun to wait.
    private static func allWait(_ count: Int) async throws { try await Task.sleep(for: .milliseconds(10 + count / 10)) }

    private static let inFlight = GrowthCase(name: "calls in flight together", unit: "call", sizes: manySizes) { size in
        let transport = HeldAnswers(), client = client(.held(transport))
        return {
            transport.close()
            try await fly(size, on: client) {
                await transport.holds(size)
                transport.open()
            }
        }
    }

    private static let memory = GrowthMeasure(name: "calls in flight together, memory", unit: "bytes a call", sizes: manySizes) { size in
        let transport = HeldAnswers(), client = client(.held(transport))
        try await fly(1, on: client) {
            await transport.holds(1)
            transport.open()
        }
        transport.close()
        let before = HeapMemory.used
        var used = 0
        try await fly(size, on: client) {
            await transport.holds(size)
            used = HeapMemory.used - before
            transport.open()
        }
        return Double(used) / Double(size)
    }

    private static let waiting = GrowthCase(name: "calls that wait for one of 64 slots", unit: "call", sizes: manySizes) { size in
        let transport = HeldAnswers(), client = client(.held(transport), concurrency: 64)
        return {
            transport.close()
            try await fly(size, on: client) {
                await transport.holds(min(size, 64))
                transport.open()
            }
        }
    }

    private static let cancelled = GrowthCase(name: "calls in flight that are cancelled together", unit: "call", sizes: sizes) { size in
        let transport = HeldAnswers(), client = client(.held(transport))
        return {
            try await fly(size, on: client) {
                await transport.holds(size)
                client.cancelAll()
            }
        }
    }

    private static let coalesced = GrowthCase(name: "identical calls that share a request", unit: "call", sizes: sizes) { size in
        let transport = HeldAnswers(), client = client(.held(transport)) { $0.coalesces = true }
        return {
            transport.close()
            try await fly(size, on: client) {
                await transport.holds(1)
                try await allWait(size)
                transport.open()
            }
        }
    }

    private static let retried = GrowthCase(name: "calls that pause for a retry together", unit: "call", sizes: sizes) { size in
        let failed = Locked([Bool](repeating: false, count: size))
        let client = client(
            .instant { request in
                let number = Int(request.url.path.dropFirst()) ?? 0
                let fails = failed.withLock { failed in
                    failed[number].toggle()
                    return failed[number]
                }
                return Response(
                    status: fails ? .serviceUnavailable : .ok, headers: InstantAnswer.json, body: .bytes(InstantAnswer.body), url: request.url)
            }
        ) { $0.retry = .exponential(maxAttempts: 2, base: .milliseconds(2)) { $0.budget = .unlimited } }
        return { try await fly(size, on: client, call: { try await $0.get("/\($1)") }) {} }
    }

    private static let refreshed = GrowthCase(name: "calls that wait for one refresh", unit: "call", sizes: sizes) { size in
        let transport = HeldAnswers(), client = client(.held(transport)) { $0.authenticator = .init(AskingAuthenticator()) }
        return {
            transport.close()
            // Each round begins without a token, so that its calls wait for the first one.
            try await client[service].logIn(AccessToken("old", refreshToken: "r", expiry: .distantPast))
            try await fly(size, on: client) {
                await transport.holds(1)
                try await allWait(size)
                transport.open()
            }
        }
    }

    private static let slot = GrowthCase(name: "calls that queue in a slot", unit: "call", sizes: sizes) { size in
        let client = client(.instant)
        return { await QueuedCalls.fly(size, on: client) }
    }
}

/// Asks the server for each token.
private struct AskingAuthenticator: Authenticator {
    func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
        try await context.client.get("/token")
        return AccessToken("new", refreshToken: "r")
    }
}

/// An owner of the calls of a slot.
@MainActor
private final class QueuedCalls: LifetimeOwner {
    let lifetime = Lifetime()
    private var landed = 0
    private var waiter: CheckedContinuation<Void, Never>?

    static func fly(_ count: Int, on client: Client) async {
        let owner = QueuedCalls(), slot = CallSlot(.queue, limit: count)
        await withCheckedContinuation { waiter in
            owner.waiter = waiter
            for _ in 0..<count {
                slot.start(.get("/users/7"), on: client, owner: owner) { owner, _ in
                    owner.landed += 1
                    if owner.landed == count { owner.waiter?.resume() }
                }
            }
        }
    }
}
#endif
