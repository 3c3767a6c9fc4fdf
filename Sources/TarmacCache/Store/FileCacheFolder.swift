#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
@_spi(TarmacRooms) import TarmacCore
import TarmacJSON
import TarmacSupport

/// The folder of a file store. The files of a URL are in one of 256 folders, whose name is the first byte of the URL's
/// hash, so that a lookup reads the names of few files.
///
/// Earlier versions kept all files in the folder itself. They are moved when their place is first read, and the file
/// `moved` is written when none is left. A crash in between leaves each file in one of its two places.
struct FileCacheFolder: Sendable {
    /// A file, and the time of its last change in seconds since 1970.
    struct File: Sendable {
        var slot: FileSlot
        let modified: Double
    }
    let path: String
    /// Whether the folder was made now, and therefore contains no file.
    let isNew: Bool
    private let list: @Sendable (String) -> [String]?
    /// The files of an earlier version that are not moved yet, by their new place.
    private let flat: Locked<[UInt8: [String]]>
    /// The incomplete files. A crash leaves some, which the next opening removes.
    private static let parts = "parts"
    private static let mark = "moved"
    private static let partSuffix = ".part"

    /// - Parameter list: returns the names in a folder, none if there is no folder, and `nil` if it cannot be listed.
    init?(_ path: String, list: @escaping @Sendable (String) -> [String]? = Self.names) {
        (self.path, self.list) = (path, list)
        isNew = FileDescriptor.isMissing(path)
        guard FileDescriptor.makeFolder(path) else { return nil }
        flat = Locked([:])
        let parts = "\(path)/\(Self.parts)"
        for name in list(parts) ?? [] { FileDescriptor.removeFile("\(parts)/\(name)") }
        guard FileDescriptor.isMissing("\(path)/\(Self.mark)") else { return }
        // A folder that counts as moved loses the files that were not found.
        guard let found = isNew ? [:] : flatFiles() else { return nil }
        if found.isEmpty { writeMark() } else { flat.withLock { $0 = found } }
    }

    static let names: @Sendable (String) -> [String]? = { folder in
        if let names = try? FileManager.default.contentsOfDirectory(atPath: folder) { return names }
        return FileDescriptor.isMissing(folder) ? [] : nil
    }

    func path(_ slot: FileSlot) -> String { "\(folder(slot.place))/\(slot.name)" }

    private func folder(_ place: UInt8) -> String { "\(path)/\(place < 16 ? "0" : "")\(String(place, radix: 16))" }

    // MARK: Reading

    /// Returns the files of one place, those changed last at the end. `nil` if the place cannot be listed now.
    func files(in place: UInt8) -> [File]? {
        let folder = folder(place)
        moveFlatFiles(to: place)
        let files = list(folder)?.compactMap { name -> File? in
            guard let status = FileDescriptor.status("\(folder)/\(name)"), let slot = FileSlot(name: name, size: status.size) else { return nil }
            return File(slot: slot, modified: status.modified)
        }
        return files?.ordered { $0.modified < $1.modified }
    }

    // MARK: Writing

    /// Returns the name of a new incomplete file and its descriptor, which is negative if it cannot be made.
    func makePart() -> (name: String, descriptor: Int32) {
        let name = "\(path)/\(Self.parts)/\(UInt64.random(in: .min ... .max))\(Self.partSuffix)"
        let descriptor = FileDescriptor.create(name)
        if descriptor >= 0 || !FileDescriptor.makeFolder("\(path)/\(Self.parts)") { return (name, descriptor) }
        return (name, FileDescriptor.create(name))
    }

    /// Gives a complete file its name. Returns `false` if that fails.
    func publish(_ part: String, as slot: FileSlot) -> Bool { move(part, to: slot.place, name: slot.name) }

    private func move(_ file: String, to place: UInt8, name: String) -> Bool {
        let folder = folder(place)
        if FileDescriptor.renameFile(file, to: "\(folder)/\(name)") { return true }
        return FileDescriptor.makeFolder(folder) && FileDescriptor.renameFile(file, to: "\(folder)/\(name)")
    }

    /// Returns once the names in a place would survive a loss of power. A file system with a journal also keeps all
    /// earlier changes.
    func synchronize(_ place: UInt8?) { FileDescriptor.synchronizeFolder(place.map(folder) ?? path) }

    // MARK: Files of earlier versions

    /// Moves the files of an earlier version. Several tasks may do so at the same time, and all files are moved when the
    /// first of them returns.
    private func moveFlatFiles(to place: UInt8) {
        for name in flat.withLock({ $0[place] }) ?? [] { _ = move("\(path)/\(name)", to: place, name: name) }
    }

    /// Ends the move. Removes the files that could not be moved, and those that an earlier version has added since: they
    /// would use space that the limit does not count. All places have been read before.
    func finishMove() {
        guard let left = flatFiles() else { return }
        for name in left.values.joined() { FileDescriptor.removeFile("\(path)/\(name)") }
        let wasMoving = flat.withLock { flat in
            defer { flat = [:] }
            return !flat.isEmpty
        }
        if wasMoving { writeMark() }
    }

    /// Returns the files in the folder itself, and removes the incomplete ones. `nil` if the folder cannot be listed.
    private func flatFiles() -> [UInt8: [String]]? {
        guard let names = list(path) else { return nil }
        var found: [UInt8: [String]] = [:]
        for name in names {
            if name.hasSuffix(Self.partSuffix) { FileDescriptor.removeFile("\(path)/\(name)") }
            if let slot = FileSlot(name: name, size: 0) { found[slot.place, default: []].append(name) }
        }
        return found
    }

    private func writeMark() {
        let descriptor = FileDescriptor.openForWriting("\(path)/\(Self.mark)")
        if descriptor >= 0 { FileDescriptor.closeFile(descriptor) }
    }
}
