#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import TarmacCore

/// Keeps each record in a file of its own in one folder, which its user alone may read: an upload's record holds the address
/// that lets go on with it.
///
/// A record is written beside its place, synchronized, and renamed into it, so that a killed process or a loss of power leaves
/// the old record or the new one. Who writes holds a lock on what it writes; what a killed process has left so has none, and goes when a
/// record is removed or the keys are listed.
public struct FileTransferStore: TransferStore {
    /// No record is larger.
    static let largestRecord = 1 << 20
    private static let suffix = ".transfer.json"
    private let folder: String

    /// - Parameter folder: made when the first record is written; the folder above it must exist.
    public init(folder: String) { self.folder = folder }

    public func record(for key: String) async throws -> Data? {
        let descriptor = FileDescriptor.openWithoutFollowing(try path(key))
        guard descriptor >= 0 else { return nil }
        defer { FileDescriptor.closeFile(descriptor) }
        guard let size = FileDescriptor.size(descriptor), size <= Self.largestRecord else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
            count = max(0, FileDescriptor.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: 0))
        }
        return Data(bytes)
    }

    public func save(_ record: Data, for key: String) async throws {
        let place = try path(key)
        guard FileDescriptor.makeFolder(folder) else { throw Self.failed("the folder \"\(folder)\" cannot be made: \(FileDescriptor.lastError)") }
        // Between making and locking somebody may have swept it away.
        for isLast in [false, false, true] {
            if try write(record, to: place, mayFail: !isLast) { break }
        }
        FileDescriptor.synchronizeFolder(folder)
    }

    /// Whether the record has its name.
    private func write(_ record: Data, to place: String, mayFail: Bool) throws(TarmacError) -> Bool {
        let draft = "\(place).\(UInt32.random(in: .min ... .max))"
        let descriptor = FileDescriptor.create(draft)
        guard descriptor >= 0 else { throw Self.failed("\"\(folder)\" cannot be written: \(FileDescriptor.lastError)") }
        // Held until it has its name. Where the file system knows no locks, nobody sweeps either.
        defer { FileDescriptor.closeFile(descriptor) }
        _ = FileDescriptor.lock(descriptor)
        let isWritten = record.withUnsafeBytes { FileDescriptor.write(descriptor, from: $0, at: 0) } == record.count && FileDescriptor.synchronize(descriptor)
        if isWritten, FileDescriptor.renameFile(draft, to: place) { return true }
        let reason = FileDescriptor.lastError
        if mayFail, isWritten, FileDescriptor.isMissing(draft) { return false }
        FileDescriptor.removeFile(draft)
        throw Self.failed("\"\(folder)\" cannot be written: \(reason)")
    }

    public func remove(_ key: String) async throws {
        FileDescriptor.removeFile(try path(key))
        sweep(names)
    }

    public func keys() async throws -> [String] {
        let names = names
        sweep(names)
        return names.filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(Self.suffix.count)) }.filter(Self.isKey).sorted()
    }

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

    /// Removes what was written and never got its name.
    private func sweep(_ names: [String]) {
        for name in names where Self.isDraft(name) {
            let descriptor = FileDescriptor.openWithoutFollowing("\(folder)/\(name)")
            guard descriptor >= 0 else { continue }
            if FileDescriptor.lock(descriptor) { FileDescriptor.removeFile("\(folder)/\(name)") }
            FileDescriptor.closeFile(descriptor)
        }
    }

    private static func isDraft(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: "."), UInt32(name[name.index(after: dot)...]) != nil, name[..<dot].hasSuffix(suffix) else { return false }
        return isKey(String(name[..<dot].dropLast(suffix.count)))
    }

    private func path(_ key: String) throws(TarmacError) -> String {
        guard Self.isKey(key) else { throw Self.failed("a key of a transfer is not made of hexadecimal digits") }
        return "\(folder)/\(key)\(Self.suffix)"
    }

    private static func isKey(_ key: String) -> Bool { (1...128).contains(key.utf8.count) && key.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit } }

    private static func failed(_ reason: String) -> TarmacError { TarmacError(.ledgerFailed, "the ledger of transfers: \(reason)") }
}
