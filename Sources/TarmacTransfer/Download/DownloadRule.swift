import TarmacCore

/// How downloads are carried out.
public struct DownloadRule: Sendable, Hashable, CustomStringConvertible {
    /// How many ranges of a large file come side by side, from 1 to 16. Default 1. More than one needs a server that sends
    /// ranges and a strong validator; each takes a dispatch slot and, over HTTP/1, a connection.
    public var parallelRanges: Int = 1
    /// The least a range of its own is worth, in bytes. Default 4 MiB.
    public var minimumRange: Int64 = 4 << 20
    /// The longest file that is taken, in bytes; a longer one is `TarmacError(.bodyTooLarge)`. Default: any.
    public var maximumSize: Int64 = .max
    /// Whether the disk's free space is looked at before the first byte is written. Default: yes.
    public var checksFreeSpace = true
    /// Whether the file's bytes are on the disk before the file gets its name, so that not even a loss of power leaves half
    /// a file under it. Default: yes.
    public var synchronizes = true
    /// Asks the system for the free space of a folder.
    var availableSpace: Space = .system

    public init() {}

    /// The rule with changes.
    public init(_ configure: (inout DownloadRule) -> Void) { configure(&self) }

    /// For tests: where free space comes from.
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
