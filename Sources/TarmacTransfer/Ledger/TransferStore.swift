#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import TarmacCore

/// Where a ``TransferLedger`` keeps its records: a few hundred bytes for each unfinished transfer.
///
/// Keys are 64 hexadecimal digits and tell nothing. A record that cannot be read counts as none.
public protocol TransferStore: Sendable {
    /// The record of a key; `nil` without one.
    func record(for key: String) async throws -> Data?
    /// Puts a record in place of the one before; it outlives the process when this returns.
    func save(_ record: Data, for key: String) async throws
    /// Removes a record, if there is one.
    func remove(_ key: String) async throws
    /// The keys of all records.
    func keys() async throws -> [String]
}

/// Keeps records for as long as the process lives: for tests, and for transfers that need not outlive it.
public final class MemoryTransferStore: TransferStore {
    private let records = Locked([String: Data]())
    public init() {}

    public func record(for key: String) async throws -> Data? { records.withLock { $0[key] } }
    public func save(_ record: Data, for key: String) async throws { records.withLock { $0[key] = record } }
    public func remove(_ key: String) async throws { _ = records.withLock { $0.removeValue(forKey: key) } }
    public func keys() async throws -> [String] { records.withLock { $0.keys.sorted() } }
}
