import HTTPTypes
@_spi(TarmacRooms) package import TarmacCore
import TarmacTransfer

/// The link between a task of a background session and its entry in the ledger across launches: the task's description.
package struct BackgroundLabel: Hashable, Sendable {
    /// The key in the ledger.
    package let key: String
    /// The requested Range; empty for the whole file.
    package let range: String

    private static let mark = "tarmac-1"

    /// Creates the label of a request; `nil` unless the request is a download that a ledger knows.
    package init?(_ request: Request) {
        guard let key = request.transferKey, request.method == .get, request.body.isNone else { return nil }
        self.key = key
        range = request.headers[.range] ?? ""
    }

    /// Creates the label from a task's description; `nil` for a foreign task.
    package init?(description: String?) {
        guard let parts = description?.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false), parts.count == 3, parts[0] == Self.mark,
            parts[1].count == 64, parts[1].allSatisfy(\.isHexDigit)
        else { return nil }
        key = String(parts[1])
        range = String(parts[2])
    }

    /// The description of the task.
    package var description: String { "\(Self.mark) \(key) \(range)" }

    /// The name of the label's files. The key comes first, so that the files of a key can be found.
    var fileName: String { "\(key)-\(TransferKey.text([range]).prefix(16))" }
}
