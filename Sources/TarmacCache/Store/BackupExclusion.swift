import TarmacCore
import TarmacSupport

/// Excludes a cache folder from backups. Its content can be loaded from the server again, and Apple rejects apps that
/// back it up.
///
/// Apple platforms have a file attribute for this. Other backup programs skip a folder with a `CACHEDIR.TAG`
/// (bford.info/cachedir). The tag is written on every platform, because a folder may be copied. A folder that cannot be
/// marked is still used.
package struct BackupExclusion: Sendable {
    /// A mark that a folder lacks.
    enum Mark: Sendable {
        case attribute, tag
    }
    static let tagName = "CACHEDIR.TAG"
    /// The first bytes of a valid tag.
    static let signature = "Signature: 8a477f597d28d172789f06886806bc55"
    private static let text = signature + "\n# Answers of servers, kept by Tarmac; they can be had again. See https://bford.info/cachedir/\n"
    private let setAttribute: @Sendable (_ path: String, _ isExcluded: Bool) -> Void

    package init() { self.init { BackupAttribute.set(on: $0, $1) } }

    package init(setAttribute: @escaping @Sendable (_ path: String, _ isExcluded: Bool) -> Void) { self.setAttribute = setAttribute }

    /// Returns the missing marks. The attribute is always among them, because restoring or copying a folder may lose
    /// it.
    static func missing(tag: [UInt8]?) -> [Mark] {
        tag?.starts(with: signature.utf8) == true ? [.attribute] : [.attribute, .tag]
    }

    /// Marks an existing folder.
    package func apply(to folder: String) {
        let path = "\(folder)/\(Self.tagName)"
        for mark in Self.missing(tag: Self.beginning(of: path)) {
            switch mark {
            case .attribute: setAttribute(folder, true)
            case .tag: Self.writeTag(path)
            }
        }
    }

    /// Excludes single files from backups, or includes them again, in a folder with other files to back up. Only
    /// Apple's attribute can do this. Names without a file are ignored.
    package func apply(toFiles paths: [String], isExcluded: Bool) {
        for path in paths where !FileDescriptor.isMissing(path) { setAttribute(path, isExcluded) }
    }

    private static func beginning(of path: String) -> [UInt8]? {
        let descriptor = FileDescriptor.openWithoutFollowing(path)
        guard descriptor >= 0 else { return nil }
        defer { FileDescriptor.closeFile(descriptor) }
        return [UInt8](unsafeUninitializedCapacity: signature.utf8.count) { buffer, count in
            count = max(0, FileDescriptor.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: 0))
        }
    }

    private static func writeTag(_ path: String) {
        let descriptor = FileDescriptor.openForWriting(path)
        guard descriptor >= 0 else { return }
        _ = CacheFile.write(Bytes(text), to: descriptor, at: 0)
        FileDescriptor.closeFile(descriptor)
    }
}
