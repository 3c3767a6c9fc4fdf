#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a ledger knows of an unfinished transfer.
///
/// How far a download has come is not in it: that is the length of the partial file, which only ever grows, so no record can
/// promise more than there is.
public struct TransferRecord: Codable, Sendable, Hashable, Identifiable {
    /// The transfer's identity: 64 hexadecimal digits.
    public let key: String
    /// The request, with its secrets masked.
    public let request: String
    /// The name of the file.
    public let name: String
    /// When it was begun.
    public let started: Date
    /// The length of the whole, if it is known.
    public var total: Int64?
    /// Of a download.
    var download: DownloadState?
    /// Of an upload.
    var upload: UploadState?

    /// Whether it is an upload.
    public var isUpload: Bool { upload != nil }
    public var id: String { key }
}

extension TransferRecord {
    /// The entity a partial file is a part of.
    struct DownloadState: Codable, Sendable, Hashable {
        var entity: RangeEntity
        /// The name of the partial file, beside the target.
        var partial: String
        /// The ranges that come side by side, each with a file of its own, in order.
        var segments: [Segment] = []

        /// Whether the ranges follow each other to the end of the file, each in the file that is its own.
        var isSound: Bool {
            guard let first = segments.first, let last = segments.last else { return true }
            return first.start >= 0 && last.end == entity.total && segments.allSatisfy { $0.start < $0.end }
                && zip(segments, segments.dropFirst()).allSatisfy { $0.end == $1.start }
                && segments.enumerated().allSatisfy { $1.partial == Segment.name($0, beside: partial) }
        }
    }

    struct Segment: Codable, Sendable, Hashable {
        let start: Int64
        /// The byte behind its last.
        let end: Int64
        let partial: String

        /// The name of the file of a range, the first of which has the index 0.
        static func name(_ index: Int, beside partial: String) -> String { "\(partial)\(index + 1)" }
    }

    /// The place of an upload on the server, and the file it is made of.
    struct UploadState: Codable, Sendable, Hashable {
        var url: String
        var protocolName: String
        /// Length and date of the file: another file is another upload.
        var fingerprint: String
        var expires: Date?
    }
}

extension TransferRecord: CustomStringConvertible, CustomReflectable {
    /// Request and name; never the address of an upload, which lets anybody go on with it.
    public var description: String { "\(isUpload ? "upload" : "download") of \(name), \(request)" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
