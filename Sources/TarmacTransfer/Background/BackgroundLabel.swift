import HTTPTypes
package import TarmacCore

/// What ties a task of a background session to its entry in the ledger across launches: the task's description.
package struct BackgroundLabel: Hashable, Sendable {
    /// The ledger's.
    package let key: String
    /// The Range that is asked for; empty for the whole file.
    package let range: String

    private static let mark = "tarmac-1"

    /// Of a request of a download that a ledger knows; `nil` for any other.
    package init?(_ request: Request) {
        guard let key = request.transferKey, request.method == .get, request.body.isNone else { return nil }
        self.key = key
        range = request.headers[.range] ?? ""
    }

    /// Of a task; `nil` when it is none of ours.
    package init?(description: String?) {
        guard let parts = description?.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false), parts.count == 3, parts[0] == Self.mark,
            parts[1].count == 64, parts[1].allSatisfy(\.isHexDigit)
        else { return nil }
        key = String(parts[1])
        range = String(parts[2])
    }

    /// The description of its task.
    package var description: String { "\(Self.mark) \(key) \(range)" }

    /// The name of what is kept for it: with the key in front, so that it can be told whose it is.
    var fileName: String { "\(key)-\(TransferKey.text([range]).prefix(16))" }
}

extension Request {
    /// Says which download of a ledger it belongs to.
    func of(transfer key: String) -> Request {
        guard !key.isEmpty else { return self }
        var copy = self
        copy.transferKey = key
        return copy
    }
}
