import TarmacCore

/// Leaves a folder of caches out of backups: what can be had again from the server need not be kept twice, and Apple
/// rejects apps that back it up.
///
/// Apple platforms have an attribute for it. Elsewhere backup programs leave out a folder with a `CACHEDIR.TAG`
/// (bford.info/cachedir), which is written everywhere: a folder may travel. A folder that cannot be marked is used all the same.
package struct BackupExclusion: Sendable {
    /// What a folder still lacks.
    enum Mark: Sendable {
        case attribute, tag
    }
    static let tagName = "CACHEDIR.TAG"
    /// The first bytes of a tag; without them it is none.
    static let signature = "Signature: 8a477f597d28d172789f06886806bc55"
    private static let text = signature + "\n# Answers of servers, kept by Tarmac; they can be had again. See https://bford.info/cachedir/\n"
    private let setAttribute: @Sendable (_ path: String, _ isExcluded: Bool) -> Void

    package init() { self.init { BackupAttribute.set(on: $0, $1) } }

    package init(setAttribute: @escaping @Sendable (_ path: String, _ isExcluded: Bool) -> Void) { self.setAttribute = setAttribute }

    /// What is to be done for a folder: the attribute each time, since restoring or copying a folder may lose it.
    static func missing(tag: [UInt8]?) -> [Mark] {
        tag?.starts(with: signature.utf8) == true ? [.attribute] : [.attribute, .tag]
    }

    /// Marks a folder that is there.
    package func apply(to folder: String) {
        let path = "\(folder)/\(Self.tagName)"
        for mark in Self.missing(tag: Self.beginning(of: path)) {
            switch mark {
            case .attribute: setAttribute(folder, true)
            case .tag: Self.writeTag(path)
            }
        }
    }

    /// Marks files in a folder that may hold what has to be backed up, or takes the mark away again. Only Apple's attribute does that;
    /// names of which there is no file are passed over.
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
