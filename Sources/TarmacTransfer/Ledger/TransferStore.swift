#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import TarmacJSON
@_spi(TarmacRooms) import TarmacCore

/// A store for the records of a ``TransferLedger``: a few hundred bytes for each unfinished transfer.
///
/// Keys are 64 hexadecimal digits and reveal nothing. A record that cannot be read counts as missing. A store that hangs holds no
/// call beyond its deadline or its cancellation.
public protocol TransferStore: Sendable {
    /// Returns the record for a key; `nil` if there is none.
    func record(for key: String) async throws -> Data?
    /// Saves a record, replacing the one before. When it returns, the record survives the end of the process.
    func save(_ record: Data, for key: String) async throws
    /// Removes the record for a key, if there is one.
    func remove(_ key: String) async throws
    /// Returns the keys of all records.
    func keys() async throws -> [String]
}

extension TransferStore {
    /// Takes a record that cannot be decoded out of the way. A store of files keeps the last of them.
    func setAside(_ key: String) async throws {
        switch self {
        case let files as FileTransferStore: try files.moveAside(key)
        case let bounded as BoundedTransferStore: try await bounded.reportSettingAside(key)
        default: try await remove(key)
        }
    }
}

/// A store that keeps records until the process ends: for tests, and for transfers that need not outlive the process.
public final class MemoryTransferStore: TransferStore {
    private let records = Locked([String: Data]())
    public init() {}

    public func record(for key: String) async throws -> Data? { records.withLock { $0[key] } }
    public func save(_ record: Data, for key: String) async throws { records.withLock { $0[key] = record } }
    public func remove(_ key: String) async throws { _ = records.withLock { $0.removeValue(forKey: key) } }
    public func keys() async throws -> [String] { records.withLock { $0.keys.ordered() } }
}
