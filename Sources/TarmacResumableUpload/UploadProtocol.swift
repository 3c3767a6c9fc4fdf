public import TarmacCore
import TarmacJSON
public import TarmacTransfer

/// The protocol of an upload that can continue after an interruption.
///
/// ```swift
/// try await client.send(Upload(.file(path), to: CreateVideo(), by: .tus { $0.checksum = .sha1 }))
/// ```
public struct UploadProtocol: Sendable, Hashable {
    enum Kind: String, Sendable { case tus, draft = "ietf" }
    let kind: Kind
    /// The largest body of one request, in bytes. Default: no limit, or 8 MiB with a ``checksum``. A limit of the
    /// server is also respected.
    public var chunkSize: Int64?
    /// The description of the file for the server.
    ///
    /// With tus it is sent in `Upload-Metadata`. Default: `filename` and `filetype`. With the draft only `filename` is
    /// sent, in `Content-Disposition`, unless the endpoint sets that field itself.
    public var metadata: [String: String]?
    /// The algorithm of a checksum of each request's bytes, which detects damage at once. Default: none.
    ///
    /// It is sent as `checksum` of tus, or as `Content-Digest` (RFC 9530), which does not allow SHA-1.
    public var checksum: DigestAlgorithm?
    /// Whether to ask the server with OPTIONS for its abilities before the upload is created.
    ///
    /// The answer names the versions, extensions, largest size and checksums of tus, or the limits of the draft. If the
    /// server does not answer, the upload starts without that knowledge. Default: `nil`, which asks only for tus with a
    /// ``checksum``, because a server may refuse one without a reason.
    public var asksFirst: Bool?
    /// The version in `Upload-Draft-Interop-Version`, not negative; `nil` omits the field, as the final standard will.
    /// Default: 8.
    public var interopVersion: Int? = 8

    private init(kind: Kind) { self.kind = kind }

    /// tus 1.0.0 with the extensions creation, checksum, termination and expiration.
    public static let tus = UploadProtocol(kind: .tus)
    /// Resumable Uploads for HTTP (draft-ietf-httpbis-resumable-upload).
    ///
    /// The upload is created empty and then appended to, so that it does not depend on interim responses, which many
    /// transports hide.
    public static let ietf = UploadProtocol(kind: .draft)

    /// Returns tus with changes to the settings.
    public static func tus(_ configure: (inout UploadProtocol) -> Void) -> UploadProtocol { tus.with(configure) }
    /// Returns the draft with changes to the settings.
    public static func ietf(_ configure: (inout UploadProtocol) -> Void) -> UploadProtocol { ietf.with(configure) }

    private func with(_ configure: (inout UploadProtocol) -> Void) -> UploadProtocol {
        var copy = self
        configure(&copy)
        return copy
    }

    /// Throws if no server could accept the settings.
    package func check() throws(TarmacError) {
        if let chunkSize, chunkSize < 1 {
            throw TarmacError(.invalidOption, "the chunkSize of an upload is \(chunkSize), and a request carries at least one byte")
        }
        if let interopVersion, interopVersion < 0 {
            throw TarmacError(.invalidOption, "the interopVersion of an upload is \(interopVersion), and must not be negative")
        }
        if kind == .draft, checksum == .sha1 { throw TarmacError(.invalidOption, "Content-Digest knows no SHA-1", suggestion: "take .sha256") }
        if let key = metadata?.keys.first(where: { $0.isEmpty || $0.utf8.contains { $0 <= 0x20 || $0 >= 0x7F || $0 == 0x2C } }) {
            throw TarmacError(.invalidOption, "the metadata key \"\(key)\" is not made of ASCII without spaces and commas")
        }
    }

    var isAskingFirst: Bool { asksFirst ?? (kind == .tus && checksum != nil) }

    var largestRequest: Int64 { chunkSize ?? (checksum == nil ? .max : 8 << 20) }

    var wire: any UploadWire {
        switch kind {
        case .tus: TusWire(settings: self)
        case .draft: DraftWire(settings: self)
        }
    }
}

extension UploadProtocol: MaskedReflectable {
    /// The protocol and the keys of its metadata. It never contains a value, which may be a secret.
    public var description: String {
        let keys = metadata.map { " with metadata \($0.keys.ordered().joined(separator: ", "))" } ?? ""
        return kind.rawValue + keys
    }
}
