#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacHTTP
import TarmacJSON
import TarmacSupport

/// A ledger of unfinished transfers, so that they continue after a failure, a cancellation, or the end of the process.
///
/// ```swift
/// let client = Client(transport: .urlSession) { $0.transferLedger = .folder("\(applicationSupport)/transfers") }
/// try await client.send(Download(Video(id: 1), to: path))       // a second call continues where the first ended
/// ```
/// A transfer is identified by service, environment, principal, method and URL, and the name of its file without its
/// folders, because the path of an app's container changes. ``Options/transferKey`` replaces method and URL, such as
/// for signed URLs that change. The content of its file and its header fields identify an upload besides. A transfer of
/// another user starts from the beginning. The cookies of a jar tell users apart that have no principal and no account,
/// except those of balancers: if other calls change them for one user, set ``Options/principal``.
public struct TransferLedger: Sendable, CustomStringConvertible {
    package let store: (any TransferStore)?
    /// The questions of calls that the store has not answered yet.
    let questions: OpenQuestions

    /// Creates a ledger with a custom store.
    public init(_ store: any TransferStore) { self.init(store, OpenQuestions(limit: .seconds(30))) }

    init(_ store: (any TransferStore)?, _ questions: OpenQuestions) { (self.store, self.questions) = (store, questions) }

    /// The same for copies of one ledger.
    package var identity: ObjectIdentifier { ObjectIdentifier(questions) }

    /// No ledger. A transfer that fails starts from the beginning, and leaves nothing behind.
    public static let off = TransferLedger(nil, OpenQuestions(limit: .zero))
    /// Returns a ledger that keeps its records as files in a folder, which is created when needed.
    public static func folder(_ path: String) -> TransferLedger { TransferLedger(FileTransferStore(folder: path)) }

    /// Returns the unfinished transfers, oldest first. Records that cannot be read are left out and set aside.
    public func unfinished() async throws -> [TransferRecord] {
        guard let store else { return [] }
        var records: [TransferRecord] = []
        for key in try await store.keys() {
            if let record = try await record(for: key) { records.append(record) }
        }
        return records.ordered { ($0.started, $0.key) < ($1.started, $1.key) }
    }

    /// Removes the record of a transfer. The next transfer of that kind starts from the beginning. A partial file
    /// stays.
    public func forget(_ record: TransferRecord) async throws { try await store?.remove(record.key) }

    package func record(for key: String) async throws -> TransferRecord? {
        guard let store, let data = try await store.record(for: key) else { return nil }
        if let record = try? JSONDecoder().decode(TransferRecord.self, from: data) { return record }
        try await store.setAside(key)
        return nil
    }

    /// Returns the record if it is of a subject.
    package func record(for key: String, of subject: String) async throws -> TransferRecord? {
        try await record(for: key).flatMap { $0.subject?.isExactly(subject) == true ? $0 : nil }
    }

    package func save(_ record: TransferRecord) async throws {
        try await store?.save(try JSONEncoder().encode(record), for: record.key)
    }

    public var description: String { store == nil ? "off" : "on" }
}
