import HTTPTypes
import TarmacCore
import TarmacResumableUpload
import TarmacTransfer

/// The record of a resumable upload in the transfer ledger of its service, with which the next attempt and the next process continue it.
struct OutboxUpload: Sendable {
    let row: UploadRow
    private let call: OutboxCall
    private let options: Options

    /// Returns `nil` for an entry that is not a resumable upload.
    ///
    /// - Parameter options: The settings of an attempt, which name the ledger.
    init?(_ entry: OutboxEntry, _ mutation: OutboxMutation, _ options: Options) {
        guard mutation.upload != nil else { return nil }
        // An entry that is edited to go elsewhere, or under another key, is another upload.
        row = UploadRow([
            "outbox", entry.id.rawValue, mutation.method.rawValue, mutation.host.name, mutation.target, mutation.idempotencyKey,
        ])
        call = OutboxCall(service: Service(entry.lane.service, hosts: [:]), endpointName: mutation.endpoint)
        var options = options
        // A ledger that hangs holds the lane no longer than this.
        options.deadline = .seconds(5)
        self.options = options
    }

    /// Whether there is a ledger.
    func hasLedger(on engine: Engine) throws -> Bool { UploadRow.isKept(by: try context(on: engine)) }

    /// Removes the record. If that fails, it stays in the ledger, and no entry finds it.
    func forget(on engine: Engine) async { try? await row.remove(in: context(on: engine)) }

    private func context(on engine: Engine) throws -> CallContext {
        let runtime = try engine.runtime(call.service)
        return Flight.makeContext(
            FlightPlan(call), id: 0, runtime: runtime, binding: .none, delivery: .buffered, call: options, progress: nil)
    }
}
