import TarmacCore
import TarmacSupport

/// The settings of a download.
public struct DownloadRule: Sendable, Hashable, CustomStringConvertible {
    /// The number of ranges of a large file that are downloaded at the same time, from 1 to 16. Default: 1.
    ///
    /// More than one needs a server that supports ranges and sends a strong validator. Each range takes a dispatch slot
    /// and, over HTTP/1, a connection.
    public var parallelRanges: Int = 1
    /// The smallest range in bytes that is downloaded by a request of its own. Default: 4 MiB.
    public var minimumRange: Int64 = 4 << 20
    /// The largest file that is accepted, in bytes; a larger one throws `TarmacError(.bodyTooLarge)`. Default:
    /// unlimited.
    public var maximumSize: Int64 = .max
    /// Whether the free space of the disk is checked before the first byte is written. Default: `true`.
    public var checksFreeSpace = true
    /// Whether the bytes are flushed to disk before the file gets its name, so that even a loss of power does not leave
    /// an incomplete file under it. Default: `true`.
    public var synchronizes = true
    /// The source of the free space of a folder.
    var availableSpace: Space = .system

    public init() {}

    /// Creates a rule and changes it.
    public init(_ configure: (inout DownloadRule) -> Void) { configure(&self) }

    /// The source of the free space. Tests set a fixed value.
    enum Space: Sendable, Hashable {
        case system
        case fixed(Int64)

        func bytes(in folder: String) -> Int64? {
            switch self {
            case .system: FileDescriptor.availableSpace(in: folder)
            case .fixed(let bytes): bytes
            }
        }
    }

    public var description: String {
        "\(parallelRanges) at once" + (maximumSize == .max ? "" : ", up to \(maximumSize) bytes") + (synchronizes ? "" : ", not synchronized")
    }

    var fault: String? {
        if !(1...16).contains(parallelRanges) { return "1 to 16 ranges come at once" }
        if minimumRange < 1 { return "a range has at least one byte" }
        return maximumSize < 0 ? "no file is shorter than nothing" : nil
    }
}
