import HTTPTypes
import TarmacCore
import TarmacTransfer

/// The upload abilities that a server states in its response to OPTIONS (pure); `nil` where it states none.
struct UploadAbilities: Equatable, Sendable {
    /// The versions of tus, the newest first.
    var versions: [String]?
    /// The extensions of tus.
    var extensions: Set<String>?
    /// The checksum algorithms of tus, such as `sha1`.
    var checksums: [String]?
    var maxSize: Int64?
    var minSize: Int64?

    /// Throws an error that would otherwise only occur during the upload.
    func check(_ length: Int64, _ settings: UploadProtocol) throws(TarmacError) {
        if let versions, !versions.contains("1.0.0") {
            throw Self.failed("the server speaks tus \(versions.joined(separator: ", ")), and not 1.0.0")
        }
        if let extensions, !extensions.contains("creation") { throw Self.failed("the server makes no uploads: it has no creation extension of tus") }
        try checkChecksum(settings)
        try checkSize(length)
    }

    func checkSize(_ length: Int64) throws(TarmacError) {
        if let maxSize, maxSize < length {
            throw TarmacError(.bodyTooLarge, phase: .judging, "the server takes \(maxSize) bytes at most, and the file has \(length)")
        }
        if let minSize, minSize > length {
            throw Self.failed("the server takes uploads of at least \(minSize) bytes, and the file has \(length)")
        }
    }

    private func checkChecksum(_ settings: UploadProtocol) throws(TarmacError) {
        guard settings.kind == .tus, let wanted = settings.checksum?.tusName else { return }
        let isMissing = extensions?.contains("checksum") == false || checksums?.contains(wanted) == false
        guard isMissing else { return }
        let known = checksums ?? []
        throw TarmacError(
            .uploadProtocolFailed, phase: .judging, "the server checks no \(wanted)\(known.isEmpty ? "" : ", but \(known.joined(separator: ", "))")",
            suggestion: "take another checksum, or none")
    }

    private static func failed(_ reason: String) -> TarmacError { TarmacError(.uploadProtocolFailed, phase: .judging, reason) }
}

extension DigestAlgorithm {
    /// The name of the algorithm in tus.
    var tusName: String { rawValue.filter { $0 != "-" } }
}
