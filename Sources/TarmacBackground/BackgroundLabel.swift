import HTTPTypes
@_spi(TarmacRooms) package import TarmacCore
import TarmacTransfer

/// The link between a task of a background session and its call across launches: the task's description.
package struct BackgroundLabel: Hashable, Sendable {
    /// The key of a download in the ledger, or that of an upload.
    package let key: String
    /// The requested Range of a download; empty for the whole file.
    package let range: String
    package let isUpload: Bool

    private static let download = "tarmac-1", upload = "tarmac-1-upload"

    /// Creates the label of a request; `nil` for one without a key. A GET without a body is a download.
    package init?(_ request: Request) {
        guard let key = request.transferKey else { return nil }
        self.key = key
        isUpload = request.method != .get || !request.body.isNone
        range = isUpload ? "" : request.headers[.range] ?? ""
    }

    /// Creates the label from a task's description; `nil` for a foreign task.
    package init?(description: String?) {
        guard let parts = description?.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false), parts.count == 3,
            parts[1].count == 64, parts[1].allSatisfy(\.isHexDigit), parts[0] == Self.download || parts[0] == Self.upload
        else { return nil }
        isUpload = parts[0] == Self.upload
        key = String(parts[1])
        range = String(parts[2])
    }

    /// The description of the task.
    package var description: String { "\(isUpload ? Self.upload : Self.download) \(key) \(range)" }

    /// The end of the names of uploads' files.
    static let uploadSuffix = "upload"

    /// The name of the label's files. The key comes first, so that the files of a key can be found.
    var fileName: String { "\(key)-\(isUpload ? Self.uploadSuffix : String(TransferKey.text([range]).prefix(16)))" }
}
