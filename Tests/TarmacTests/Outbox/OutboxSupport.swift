#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacTesting

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox

struct CreateOrder: Endpoint, Encodable {
    typealias Value = Void
    static let route: Route = .post("/orders")
    var number: Int
}

struct KeyedOrder: Endpoint {
    typealias Value = Void
    static let route: Route = .post("/orders")
    var number: Int
    var key: String
    func body() throws -> Body? { .bytes(Bytes(#"{"number":\#(number)}"#), contentType: "application/json") }
    func configure(_ options: inout Options) { options.idempotencyKey = .value(key) }
}

struct SetPassword: Endpoint, Encodable {
    typealias Value = Void
    static let route: Route = .put("/password")
    @Secret var phrase: String
}

/// An outbox over a stub, with time that a test moves.
struct OutboxRig: Sendable {
    let time = ManualTime(date: Date(timeIntervalSince1970: 1_000_000_000))
    let stub: StubTransport
    let client: Client
    let store: any OutboxStore
    let outbox: Outbox
    let shop: Service
    /// What the server answers next; 200 when nothing is left.
    let answers: Locked<[Answer]>

    enum Answer: Sendable {
        case status(Int, HTTPFields = [:])
        case json(String)
        case response(Response)
        case fails(TarmacError.Code, TarmacError.Phase = .connecting)
        /// 200 once the gate is open.
        case waits(Watched<Bool>)
    }

    static let shop = Service(
        "shop", hosts: [.production: "https://api.shop.example/v1", .test: "https://test.shop.example"])

    /// - Parameter seed: Differs for outboxes that share a store, so that they are two owners.
    init(
        _ answers: [Answer] = [], store: any OutboxStore = MemoryOutboxStore(), service: Service = shop, sealer: (any Sealer)? = nil,
        connectivity: any ConnectivityMonitor = .system, seed: UInt64 = 5, configure: (inout OutboxRule) -> Void = { _ in }
    ) throws {
        let script = Locked(answers)
        self.answers = script
        let stub = StubTransport { _ in
            switch script.withLock({ $0.isEmpty ? .status(200) : $0.removeFirst() }) {
            case .status(let code, let headers): return .status(HTTPResponse.Status(code: code), headers: headers)
            case .json(let text): return .json(text)
            case .response(let response): return response
            case .fails(let code, let phase): throw TarmacError(code, phase: phase, "the test says so")
            case .waits(let gate):
                try await gate.wait { $0 }
                return .status(.ok)
            }
        }
        self.stub = stub
        self.store = store
        shop = service
        client = Client(
            transport: .stub(stub), services: [service], time: time, randomness: SeededGenerator(seed: seed), connectivity: connectivity)
        outbox = try Outbox(client: client, store: store, rule: OutboxRule(configure), sealer: sealer)
    }

    /// The numbers of the orders the server got, in order.
    var numbers: [Int] {
        stub.requests.compactMap { request in
            let text = request.body.buffered.map { String(decoding: $0.array, as: UTF8.self) } ?? ""
            return Int(text.filter(\.isNumber))
        }
    }

    var keys: [String] { stub.requests.compactMap { $0.headers[.idempotencyKey] } }

    func stored() async throws -> [OutboxEntry] { try await outbox.entries() }
}

/// A store in memory that claims to be durable, and fails when it is told to.
final class FlakyStore: OutboxStore {
    private let memory = MemoryOutboxStore()
    let failures = Locked(0)
    /// How often each cannot be settled.
    let refusals = Locked<[OutboxEntry.ID: Int]>([:])
    /// Whether none can be settled, and how often one could not.
    let refusesAll = Locked(false)
    let refused = Locked(0)
    var isDurable: Bool { true }

    private func check() throws {
        let fails = failures.withLock { failures in
            defer { failures = max(failures - 1, 0) }
            return failures > 0
        }
        if fails { throw TarmacError(.storeFailed, "the test says so") }
    }

    func append(_ records: [OutboxRecord], known: Set<OutboxEntry.ID>, limit: Int) async throws -> OutboxAppended {
        try check()
        return try memory.append(records, known: known, limit: limit)
    }
    func lease(_ lease: OutboxLease) async throws -> OutboxLeased {
        try check()
        return memory.lease(lease)
    }
    func settle(
        _ id: OutboxEntry.ID, as settlement: OutboxSettlement, owner: String, then lease: OutboxLease?
    ) async throws -> (isOwners: Bool, OutboxLeased) {
        try check()
        let isRefused = refusals.withLock { refusals in
            defer { refusals[id]? -= 1 }
            return (refusals[id] ?? 0) > 0
        }
        if isRefused || refusesAll.withLock({ $0 }) {
            refused.withLock { $0 += 1 }
            throw TarmacError(.storeFailed, "the test says so")
        }
        return memory.settle(id, as: settlement, owner: owner, then: lease)
    }
    func renew(owner: String, until: Date) async throws { memory.renew(owner: owner, until: until) }
    func release(owner: String) async throws { memory.release(owner: owner) }
    func records(_ filter: OutboxFilter, limit: Int) async throws -> [OutboxRecord] { memory.records(filter, limit: limit) }
    func replace(_ id: OutboxEntry.ID, payload: Bytes, isSealed: Bool, fingerprint: String, now: Date) async throws -> Bool {
        try memory.replace(id, payload: payload, isSealed: isSealed, fingerprint: fingerprint, now: now)
    }
    func revive(_ filter: OutboxFilter, now: Date) async throws -> [OutboxRecord] { memory.revive(filter, now: now) }
    func remove(_ filter: OutboxFilter) async throws -> [OutboxRecord] { memory.remove(filter) }
}

extension OutboxChanges {
    /// The next change that is meant.
    func next(where isMeant: (OutboxChange.Kind) -> Bool) async -> OutboxChange? {
        for await change in self where isMeant(change.kind) { return change }
        return nil
    }

    func nextPostponed() async -> OutboxChange? { await next { if case .postponed = $0 { true } else { false } } }
    func nextBuried() async -> OutboxFailure? {
        guard case .buried(let failure)? = await next(where: { if case .buried = $0 { true } else { false } })?.kind else { return nil }
        return failure
    }
}
