import TarmacTransfer

/// The settings of a resumable upload as they are stored with it. Names are short because each entry holds them.
package struct StoredUploadProtocol: Codable, Sendable {
    private var k: String
    private var c: Int64?
    private var m: [String: String]?
    private var d: DigestAlgorithm?
    private var q: Bool?
    private var v: Int?

    package init(_ settings: UploadProtocol) {
        k = settings.kind.rawValue
        c = settings.chunkSize
        m = settings.metadata
        d = settings.checksum
        q = settings.asksFirst
        v = settings.interopVersion
    }

    /// The settings; `nil` if the protocol is unknown.
    package var settings: UploadProtocol? {
        guard let kind = UploadProtocol.Kind(rawValue: k) else { return nil }
        var settings = kind == .tus ? UploadProtocol.tus : .ietf
        (settings.chunkSize, settings.metadata, settings.checksum) = (c, m, d)
        (settings.asksFirst, settings.interopVersion) = (q, v)
        return settings
    }
}
