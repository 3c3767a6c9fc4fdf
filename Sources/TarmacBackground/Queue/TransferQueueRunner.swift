#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
@_spi(TarmacRooms) import TarmacCore
import TarmacTransfer

/// Carries out the transfer of a record.
struct TransferQueueRunner<Item: Codable & Sendable>: Sendable {
    let client: Client
    let transfer: @Sendable (Item) async throws -> any PausableWork
    let landed: @Sendable (Item) async throws -> Void

    /// The capabilities of the client's transport. All services of a client have one kind of transport.
    var capabilities: TransportCapabilities { (try? client.engine.runtime(.clientDefault))?.transport.capabilities ?? [] }

    /// - Throws: `TransferFailure`.
    @Sendable func run(_ record: TransferQueueRecord, progress: @escaping @Sendable (TransferProgress) -> Void) async throws {
        let item: Item, work: any PausableWork
        do {
            // Before the app's own code, which may look at the environment too.
            if let owner = record.owner, !client.engine.environment.name.isExactly(owner.environment) {
                throw TarmacError(.environmentLeft, "the client has left the environment \(owner.environment)")
            }
            item = try Self.item(of: record)
            work = try await transfer(item)
        } catch { throw Self.failure(error, record, "making") }
        do {
            try await send(work, record, progress)
            try Task.checkCancellation()
        } catch { throw TransferFailure(error: error, step: work is Download ? .download : .upload) }
        // It has landed: a cancellation comes too late.
        do { try await landed(item) } catch { throw Self.failure(error, record, "landing") }
    }

    /// Removes the records of a removed transfer from the ledgers of the client's services, and its partial files. If that fails, they stay.
    @Sendable func discard(_ record: TransferQueueRecord) async {
        var seen: Set<ObjectIdentifier> = []
        for service in client.engine.allServices {
            guard let runtime = try? client.engine.runtime(service) else { continue }
            // A ledger that hangs holds the app no longer than this.
            let context = context(runtime, limit: .seconds(5))
            let ledger = context.option(Settings.transferLedger)
            guard seen.insert(ledger.identity).inserted else { continue }
            try? await ledger.bounded(by: context).discard(TransferQueueOptions.transferKey(of: record))
        }
    }

    /// Reports damaged records, as an event of the client.
    @Sendable func report(_ names: [String]) {
        guard let runtime = try? client.engine.runtime(.clientDefault) else { return }
        let shown = names.sorted().prefix(10).joined(separator: ", ")
        context(runtime, limit: .seconds(5)).emit(
            .warning("transfer queue: the records of \(names.count) transfers are damaged, and were moved aside (.damaged): \(shown)"))
    }

    private func context(_ runtime: ServiceRuntime, limit: Duration) -> CallContext {
        var options = Options()
        options.deadline = .duration(limit)
        return Flight.makeContext(
            FlightPlan(InlineEndpoint<Void>.get("/", as: Void.self)), id: 0, runtime: runtime, binding: .none, delivery: .buffered, call: options,
            progress: nil)
    }

    private static func item(of record: TransferQueueRecord) throws(TarmacError) -> Item {
        do { return try JSONDecoder().decode(Item.self, from: Data(record.content.utf8)) } catch {
            throw TarmacError(.decodingFailed, phase: .decoding, "the value of the transfer \"\(record.id)\" is not one of \(Item.self)", cause: error)
        }
    }

    private func send<Transfer: PausableWork>(
        _ transfer: Transfer, _ record: TransferQueueRecord, _ progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws {
        let isDownload = transfer is Download, capabilities = capabilities
        let login = try (transfer as? any EndpointWork).flatMap { work in try record.owner?.login(of: work.endpoint, in: client.engine) }
        try await client.send(transfer) { options in
            TransferQueueOptions(record: record, login: login, isDownload: isDownload, capabilities: capabilities).set(in: &options)
        } progress: {
            if let moved = $0 as? TransferProgress { progress(moved) }
        }
    }

    private static func failure(_ error: any Error, _ record: TransferQueueRecord, _ step: String) -> TransferFailure {
        if error is TarmacError || error is CancellationError { return TransferFailure(error: error, step: .app) }
        let known = TarmacError(.callerFailed, phase: .delivering, "\(step) the transfer \"\(record.id)\" threw \(type(of: error))", cause: error)
        return TransferFailure(error: known, step: .app)
    }
}

/// The settings of a transfer's call (pure).
struct TransferQueueOptions {
    let record: TransferQueueRecord
    /// The login that the call must have.
    var login: TransferQueueOwner.Login?
    let isDownload: Bool
    let capabilities: TransportCapabilities

    static func transferKey(of record: TransferQueueRecord) -> String { "queue \(record.key)" }

    func set(in options: inout Options) {
        options.transferKey = Self.transferKey(of: record)
        if !isDownload { options.idempotencyKey = .value(record.key) }
        options.priority = record.priority
        // What a guest has added goes as the user that there is.
        if let login, !login.principal.isEmpty || login.account != nil { options.principal = login.principal }
        options[Settings.storedCall] = StoredCall(
            account: login?.account, principal: login?.principal, environment: record.owner?.environment, refusesPages: true)
        if record.conditions.contains(.unmetered), capabilities.contains(.networkAccess) {
            options.networkAccess = NetworkAccess(allowsCellular: false, allowsExpensive: false, allowsConstrained: false)
        }
        // The process may be suspended at any time, for hours.
        if capabilities.contains(.outlivesProcess) { options.removeTimeLimits() }
    }
}
