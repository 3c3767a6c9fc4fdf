package import TarmacCore
import TarmacTransfer

/// The record of an upload under a key of its own in the ledger of a call.
///
/// Such an upload keeps its `Idempotency-Key` when it has to start again. Its record outlives the last response: the owner
/// removes it once the result is stored, so that a process that ends in between does not upload the file twice.
package struct UploadRow: Sendable, Equatable {
    let key: String

    /// - Parameter parts: Texts that together identify the upload.
    package init(_ parts: [String]) { key = TransferKey.text(["row"] + parts) }

    /// Whether a call has a ledger.
    package static func isKept(by context: CallContext) -> Bool { context.option(Settings.transferLedger).store != nil }

    /// Removes the record from the ledger of a call.
    package func remove(in context: CallContext) async throws {
        try await context.option(Settings.transferLedger).bounded(by: context).store?.remove(key)
    }
}
