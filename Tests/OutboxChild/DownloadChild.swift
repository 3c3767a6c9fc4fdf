#if SQLite
import Foundation
import Tarmac
import TarmacSQLite
import TarmacURLSession

/// The same process as one that downloads, with its ledger in a database, or in a folder if the name does not end with `.db`.
///
///     OutboxChild download DATABASE URL TARGET
///
/// It ends with status 4 if another process downloads the file.
enum DownloadChild {
    static func main(_ arguments: [String]) async throws {
        guard arguments.count == 3 else {
            FileHandle.standardError.write(Data("usage: OutboxChild download DATABASE URL TARGET\n".utf8))
            exit(2)
        }
        let isDatabase = arguments[0].hasSuffix(".db")
        let ledger = isDatabase ? TransferLedger(try SQLiteTransferStore(SQLiteDatabase(path: arguments[0]))) : .folder(arguments[0])
        try await withClient(transport: .urlSession, services: [Service("files", hosts: [.production: Hosts(arguments[1])])]) {
            $0.transferLedger = ledger
            $0.resume = .automatic { ($0.base, $0.maxBarrenAttempts) = (.milliseconds(5), 1000) }
            $0.retry = .exponential(maxAttempts: 100, base: .milliseconds(5)) { $0.budget = .unlimited }
        } _: { client in
            do { _ = try await client.send(Download(.get("/file"), to: arguments[2])) } catch let error as TarmacError where error.code == .transferInProgress {
                exit(4)
            }
        }
    }
}
#endif
