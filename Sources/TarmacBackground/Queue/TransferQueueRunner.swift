#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacCore
import TarmacTransfer

/// Carries out the transfer of a record.
struct TransferQueueRunner<Item: Codable & Sendable>: Sendable {
    let client: Client
    let transfer: @Sendable (Item) async throws -> any PausableWork
    let landed: @Sendable (Item) async throws -> Void

    /// The capabilities of the client's transport. All services of a client have one kind of transport.
    var capabilities: TransportCapabilities { (try? client.engine.runtime(.clientDefault))?.transport.capabilities ?? [] }

    @Sendable func run(_ record: TransferQueueRecord, progress: @escaping @Sendable (TransferProgress) -> Void) async throws {
        let item: Item
        do { item = try JSONDecoder().decode(Item.self, from: Data(record.content.utf8)) } catch {
            throw TarmacError(.decodingFailed, phase: .decoding, "the value of the transfer \"\(record.id)\" is not one of \(Item.self)", cause: error)
        }
        do {
            try await send(try await transfer(item), record, progress)
            try Task.checkCancellation()
        } catch { throw Self.known(error, record, "making") }
        // It has landed: a cancellation comes too late.
        do { try await landed(item) } catch { throw Self.known(error, record, "landing") }
    }

    private func send<Transfer: PausableWork>(
        _ transfer: Transfer, _ record: TransferQueueRecord, _ progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws {
        let isDownload = transfer is Download, capabilities = capabilities
        try await client.send(transfer) { options in
            TransferQueueOptions(record: record, isDownload: isDownload, capabilities: capabilities).set(in: &options)
        } progress: {
            if let moved = $0 as? TransferProgress { progress(moved) }
        }
    }

    private static func known(_ error: any Error, _ record: TransferQueueRecord, _ step: String) -> any Error {
        if error is TarmacError || error is CancellationError { return error }
        return TarmacError(.callerFailed, phase: .delivering, "\(step) the transfer \"\(record.id)\" threw \(type(of: error))", cause: error)
    }
}

/// The settings of a transfer's call (pure).
struct TransferQueueOptions {
    let record: TransferQueueRecord
    let isDownload: Bool
    let capabilities: TransportCapabilities

    func set(in options: inout Options) {
        options.transferKey = "queue \(record.key)"
        if !isDownload { options.idempotencyKey = .value(record.key) }
        options.priority = record.priority
        if record.conditions.contains(.unmetered), capabilities.contains(.networkAccess) {
            options.networkAccess = NetworkAccess(allowsCellular: false, allowsExpensive: false, allowsConstrained: false)
        }
        // The process may be suspended at any time, for hours.
        if capabilities.contains(.outlivesProcess) { options.removeTimeLimits() }
    }
}
