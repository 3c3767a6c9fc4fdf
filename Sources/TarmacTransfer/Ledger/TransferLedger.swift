#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where unfinished transfers are noted, so that they go on after a failure, a cancellation, or the end of the process.
///
/// ```swift
/// let client = Client(transport: .urlSession) { $0.transferLedger = .folder("\(applicationSupport)/transfers") }
/// try await client.download(Video(id: 1), to: path)       // the second time it goes on where the first ended
/// ```
/// A transfer is known by what it is, not by where its file lies, which changes with an app's container (YTK-B11): service,
/// environment, principal, method and URL, and the file's name without its folders. ``Options/transferKey`` names it otherwise,
/// as for URLs that carry a signature of the day.
public struct TransferLedger: Sendable, CustomStringConvertible {
    let store: (any TransferStore)?

    /// A ledger in a store of one's own.
    public init(_ store: any TransferStore) { self.store = store }
    private init() { store = nil }

    /// Nothing is noted: what fails begins anew, and leaves nothing behind.
    public static let off = TransferLedger()
    /// Records in files of one folder, which is made when needed.
    public static func folder(_ path: String) -> TransferLedger { TransferLedger(FileTransferStore(folder: path)) }

    /// The transfers that are not finished. What cannot be read is left out.
    public func unfinished() async throws -> [TransferRecord] {
        guard let store else { return [] }
        var records: [TransferRecord] = []
        for key in try await store.keys() {
            if let record = try await record(for: key) { records.append(record) }
        }
        return records.sorted { ($0.started, $0.key) < ($1.started, $1.key) }
    }

    /// Forgets a transfer; the next one like it begins anew. Its partial file, if there is one, stays.
    public func forget(_ record: TransferRecord) async throws { try await store?.remove(record.key) }

    func record(for key: String) async throws -> TransferRecord? {
        guard let data = try await store?.record(for: key) else { return nil }
        return try? JSONDecoder().decode(TransferRecord.self, from: data)
    }

    func save(_ record: TransferRecord) async throws {
        try await store?.save(try JSONEncoder().encode(record), for: record.key)
    }

    public var description: String { store == nil ? "off" : "on" }
}
