#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacCore

/// The record of an unfinished transfer.
///
/// It does not hold the progress of a download: that is the length of the partial file, which only grows. A record
/// therefore never claims more bytes than the file has.
public struct TransferRecord: Codable, Sendable, Hashable, Identifiable {
    /// The transfer's identity: 64 hexadecimal digits.
    public let key: String
    /// A description of the request, with its secrets masked.
    public let request: String
    /// The name of the file.
    public let name: String
    /// The date when the transfer started.
    public let started: Date
    /// The total length in bytes, if known.
    public var total: Int64?
    /// A hash of the user, and of what an upload is besides its file. A call with another one starts from the beginning. `nil` in a record of
    /// an earlier version.
    package var subject: String?
    /// A hash of ``Options/transferKey``; `nil` without one.
    package var mark: String?
    /// The state of a download; `nil` for an upload.
    var download: DownloadState?
    /// The state of an upload; `nil` for a download.
    package var upload: UploadState?

    package init(key: String, request: String, name: String, started: Date, total: Int64? = nil) {
        (self.key, self.request, self.name, self.started, self.total) = (key, request, name, started, total)
    }

    /// Whether the transfer is an upload.
    public var isUpload: Bool { upload != nil }
    public var id: String { key }
}

extension TransferRecord {
    /// The state of a download: the entity that the partial file is a part of.
    struct DownloadState: Codable, Sendable, Hashable {
        var entity: RangeEntity
        /// The name of the partial file, in the target's folder.
        var partial: String
        /// The target's folder, `~` for the home folder, because the path of an app's container changes. `nil` in a record of an earlier version.
        var folder: String?
        /// The ranges that are downloaded at the same time, each into a file of its own, in order.
        var segments: [Segment] = []

        /// A petabyte: no disk holds more, and sums of lengths below it do not overflow.
        static let maximumTotal: Int64 = 1 << 50

        /// Whether the length can be one, and the ranges are contiguous, end with the file, and have the file names that belong to them.
        var isSound: Bool {
            guard entity.total.map((0...Self.maximumTotal).contains) ?? true else { return false }
            guard let first = segments.first, let last = segments.last else { return true }
            return first.start >= 0 && last.end == entity.total && segments.allSatisfy { $0.start < $0.end }
                && zip(segments, segments.dropFirst()).allSatisfy { $0.end == $1.start }
                && segments.enumerated().allSatisfy { $1.partial == Segment.name($0, beside: partial) }
        }
    }

    struct Segment: Codable, Sendable, Hashable {
        let start: Int64
        /// The offset after the last byte.
        let end: Int64
        let partial: String

        /// Returns the name of the file of a range. The first range has the index 0.
        static func name(_ index: Int, beside partial: String) -> String { "\(partial)\(index + 1)" }
    }

    /// The state of an upload: its URL on the server, and the file it sends.
    package struct UploadState: Codable, Sendable, Hashable {
        package var url: String
        package var protocolName: String
        /// The length and the date of the file. If they change, the upload is a different one.
        package var fingerprint: String
        package var expires: Date?
        /// Whether the last bytes may have been sent, so that the upload may be complete. `nil` in a record of an earlier version, and after
        /// a failure that leaves the upload incomplete.
        package var isEndSent: Bool?

        package init(url: String, protocolName: String, fingerprint: String, expires: Date?) {
            (self.url, self.protocolName, self.fingerprint, self.expires) = (url, protocolName, fingerprint, expires)
            isEndSent = false
        }
    }
}

extension TransferRecord: MaskedReflectable {
    /// The request and the name. The URL of an upload is left out, because it allows anybody to continue the upload.
    public var description: String { "\(isUpload ? "upload" : "download") of \(name), \(request)" }
}
