#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
@_spi(TarmacRooms) import TarmacCore
import TarmacSupport
import TarmacDigest

/// The names of a transfer's partial files: `NAME.TAG.ID.part`, with a number added for each range.
///
/// TAG identifies the transfer. ID is random for each new download, so that a record finds only the file it was written
/// for: not a file of the same name in another folder, and not one that an earlier download left.
struct PartialName: Sendable {
    /// Lets one download of this process start at a time. It locks a `Bool` because an empty value has no address of
    /// its own, and the thread sanitizer confuses it with the lock.
    private static let gate = Locked(false)
    /// The largest number of old files that a new download removes.
    private static let mostRemoved = 256

    let folder: String
    private let stem: String
    /// The same for all files of the transfer.
    var place: String { "\(folder)/\(stem)" }

    init(of path: String, key: String) {
        folder = FilePlace.folder(of: path)
        var name = FilePlace.name(of: path)
        // Short enough for every file system.
        while name.utf8.count > 180 { name.removeLast() }
        stem = "\(name).\(key.isEmpty ? "" : "\(key.prefix(16)).")"
    }

    func fresh() -> String { "\(stem)\(Hexadecimal.text((0..<8).map { _ in UInt8.random(in: .min ... .max) })).part" }

    /// Whether a name belongs to a partial file of this transfer or, if `ranges`, to one of its ranges.
    func covers(_ name: String, ranges: Bool) -> Bool {
        guard name.utf8.starts(with: stem.utf8) else { return false }
        let rest = Array(name.utf8.dropFirst(stem.utf8.count)), end = Array(".part".utf8), digits = rest.dropFirst(16 + end.count)
        return rest.count >= 16 + end.count && rest[16..<16 + end.count].elementsEqual(end) && rest[..<16].allSatisfy(Self.isHexadecimal)
            && (digits.isEmpty || ranges && digits.count <= 2 && digits.allSatisfy { (0x30...0x39).contains($0) })
    }

    /// Opens the file that a record names, if it exists, and otherwise removes old files and creates a new one.
    ///
    /// - Throws: `.transferInProgress` if one of them is being written.
    func claim(_ noted: String?) throws(TarmacError) -> PartialFile {
        try Self.gate.withLock { _ throws(TarmacError) in
            if let noted, covers(noted, ranges: false), !FileDescriptor.isMissing("\(folder)/\(noted)") { return try PartialFile("\(folder)/\(noted)") }
            try removeAll()
            return try PartialFile("\(folder)/\(fresh())")
        }
    }

    /// Removes the files of a transfer that does not continue.
    ///
    /// - Throws: `.transferInProgress` if one of them is being written.
    func discard() throws(TarmacError) { try Self.gate.withLock { _ throws(TarmacError) in try removeAll() } }

    private func removeAll() throws(TarmacError) {
        let left = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { covers($0, ranges: true) }
        for name in left where covers(name, ranges: false) { try PartialFile.checkFree("\(folder)/\(name)") }
        for name in left.prefix(Self.mostRemoved) { FileDescriptor.removeFile("\(folder)/\(name)") }
    }

    private static func isHexadecimal(_ digit: UInt8) -> Bool { (0x30...0x39).contains(digit) || (0x61...0x66).contains(digit) }
}
