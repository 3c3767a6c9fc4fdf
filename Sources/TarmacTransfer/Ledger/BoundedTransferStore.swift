#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
package import TarmacCore
import TarmacSupport

/// The store of a ledger as one call uses it. The call ends at its own deadline, or when it is cancelled, even if the store hangs.
/// A store that has not answered for 30 s fails at once until it has, so that calls leave no more tasks behind.
struct BoundedTransferStore: TransferStore {
    let store: any TransferStore
    let questions: OpenQuestions
    let context: CallContext

    func record(for key: String) async throws -> Data? { try await bounded { try await $0.record(for: key) } }
    func save(_ record: Data, for key: String) async throws { try await bounded { try await $0.save(record, for: key) } }
    func remove(_ key: String) async throws { try await bounded { try await $0.remove(key) } }
    func keys() async throws -> [String] { try await bounded { try await $0.keys() } }

    func reportSettingAside(_ key: String) async throws {
        context.emit(.warning("transfers: the record of an unfinished transfer is damaged; the transfer starts from the beginning"))
        try await bounded { try await $0.setAside(key) }
    }

    private func bounded<Value: Sendable>(_ work: @escaping @Sendable (any TransferStore) async throws -> Value) async throws -> Value {
        guard let number = questions.begin(at: context.time.moment) else {
            throw TarmacError(.storeFailed, phase: .intercepting, "the store of the transfer ledger does not answer")
        }
        return try await context.outlived(in: .intercepting) { [store, questions] in
            defer { questions.end(number) }
            return try await work(store)
        }
    }
}

extension TransferLedger {
    /// Returns the ledger for one call.
    package func bounded(by context: CallContext) -> TransferLedger {
        store.map { TransferLedger(BoundedTransferStore(store: $0, questions: questions, context: context), questions) } ?? .off
    }
}
