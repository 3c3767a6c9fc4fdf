#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
@_spi(TarmacRooms) import TarmacCore
import TarmacResumableUpload
import TarmacSupport
import TarmacTransfer

/// The bodies that are too large for the entries of a store: one file for each in a folder, named after its entry.
///
/// A file is written under another name, flushed to disk and renamed before its entry is stored, and removed with the
/// entry. A file that a crash leaves in between belongs to no entry, and is removed later.
package struct OutboxFolder: Sendable {
    private let path: String
    private let coder: OutboxCoder

    /// Returns `nil` for a store without a folder for files.
    init?(_ store: any OutboxStore, _ coder: OutboxCoder) {
        guard let path = store.bodyFolder else { return nil }
        self.path = path
        self.coder = coder
    }

    // MARK: Keeping

    /// Copies a file, which may change or be removed afterwards. If the file system supports it, both share their
    /// blocks.
    ///
    /// - Parameter limit: The largest total size of all files in the folder, in bytes.
    /// - Throws: `TarmacError` with `.outboxFull`, `.unreadableFile`, `.insufficientSpace` or `.unwritableFile`.
    func keep(file source: String, length: Int64, _ id: OutboxEntry.ID, in lane: OutboxLane, limit: Int64) async throws -> OutboxMutation.File {
        // A copy of a file that changed meanwhile.
        remove([id])
        if coder.sealer != nil {
            let writer = try writer(id, in: lane, limit: limit)
            for try await chunk in ByteStream({ FileSlice(path: source, 0..<length) }) { try writer.append(chunk) }
            return try writer.finish()
        }
        let room = limit - total
        guard length <= room else { throw TarmacError.outboxFilesFull(limit) }
        let part = try newPart(id)
        do {
            try copy(source, to: part)
            // The file may have grown in the meantime.
            guard let size = FileDescriptor.status(part)?.size, size <= room else { throw TarmacError.outboxFilesFull(limit) }
            try Self.publish(part)
            return OutboxMutation.File(size: size, isSealed: false)
        } catch {
            FileDescriptor.removeFile(part)
            throw error
        }
    }

    /// Returns a writer for a file that is written in pieces.
    func writer(_ id: OutboxEntry.ID, in lane: OutboxLane, limit: Int64) throws(TarmacError) -> OutboxFileWriter {
        let room = limit - total, part = try newPart(id)
        let coder = coder
        let seal: ((Bytes, Int) throws -> Bytes)? = coder.sealer == nil ? nil : { try coder.sealedPiece($0, number: $1, id, in: lane) }
        return try OutboxFileWriter(part, room: room, full: .outboxFilesFull(limit), seal: seal)
    }

    private func newPart(_ id: OutboxEntry.ID) throws(TarmacError) -> String {
        guard let place = place(id) else { throw TarmacError(.unwritableFile, "the outbox entry \(id) has an ID that is no name of a file") }
        guard FileDescriptor.makeFolder(path) else {
            throw TarmacError(.unwritableFile, "the folder \"\(path)\" cannot be made: \(FileDescriptor.lastError)")
        }
        return place + Self.partSuffix
    }

    private func copy(_ source: String, to part: String) throws(TarmacError) {
        let manager = FileManager.default
        do {
            // The file itself, not a link to it.
            try manager.copyItem(atPath: URL(fileURLWithPath: source).resolvingSymlinksInPath().path, toPath: part)
            try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: part)
        } catch {
            if (error as? CocoaError)?.code == .fileWriteOutOfSpace {
                throw TarmacError(.insufficientSpace, "there is no room for a copy of the file \"\(source)\"", cause: error)
            }
            throw TarmacError(.unreadableFile, "the file \"\(source)\" cannot be copied into \"\(path)\"", cause: error)
        }
    }

    /// Renames a file after it has been flushed to disk, so that it survives a loss of power.
    static func publish(_ part: String) throws(TarmacError) {
        let place = String(part.dropLast(partSuffix.count))
        let descriptor = FileDescriptor.openForUpdate(part)
        defer { if descriptor >= 0 { FileDescriptor.closeFile(descriptor) } }
        guard descriptor >= 0, FileDescriptor.synchronize(descriptor), FileDescriptor.renameFile(part, to: place) else {
            throw OutboxFileWriter.unwritable(part)
        }
        FileDescriptor.synchronizeFolder(place.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/"))
    }

    // MARK: Sending

    /// Returns the body of an entry. A sealed one is opened in pieces while it is sent, and never stored unsealed.
    ///
    /// - Throws: `TarmacError(.storeFailed)` for an existing file that cannot be read now.
    func body(of record: OutboxRecord, _ file: OutboxMutation.File, contentType: String?) throws(TarmacError) -> Body {
        guard let place = place(record.id) else { throw missing(record.id) }
        let (coder, id, lane) = (coder, record.id, record.lane)
        if file.isSealed {
            return .stream(
                ByteStream { SealedFileSource(place, size: file.size) { try coder.openedPiece($0, number: $1, id, in: lane) } }, length: file.size,
                isReplayable: true, contentType: contentType)
        }
        do { return try .file(place, contentType: contentType) } catch { throw unreadable(id, error) }
    }

    /// Returns the body of an entry as the content of a resumable upload. Of a sealed one, only the pieces that are sent are
    /// opened.
    ///
    /// - Throws: `TarmacError(.storeFailed)` for an existing file that cannot be read now.
    func source(of record: OutboxRecord, _ file: OutboxMutation.File, name: String) throws(TarmacError) -> UploadSource {
        guard let place = place(record.id) else { throw missing(record.id) }
        let (coder, id, lane) = (coder, record.id, record.lane)
        if file.isSealed {
            return .ranges(named: name, length: file.size, fingerprint: "\(file.size)-sealed") { range in
                SealedFileSource(place, size: file.size, range: range) { try coder.openedPiece($0, number: $1, id, in: lane) }
            }
        }
        do { return try .file(place, named: name) } catch { throw unreadable(id, error) }
    }

    private func unreadable(_ id: OutboxEntry.ID, _ error: TarmacError) -> TarmacError {
        TarmacError(.storeFailed, "the body of the outbox entry \(id) cannot be read now: \(error.reason)", cause: error)
    }

    /// Returns the reason why an entry can never be sent: its file is missing or changed.
    func fault(of record: OutboxRecord, _ file: OutboxMutation.File) -> TarmacError? {
        guard let place = place(record.id), !FileDescriptor.isMissing(place) else { return missing(record.id) }
        guard !file.isSealed, let status = FileDescriptor.status(place), status.size != file.size else { return nil }
        return TarmacError(.storeFailed, "the body of the outbox entry \(record.id) has \(status.size) bytes where \(file.size) were kept")
    }

    private func missing(_ id: OutboxEntry.ID) -> TarmacError {
        TarmacError(.storeFailed, "the body of the outbox entry \(id), which was kept as a file, is gone")
    }

    // MARK: Removing

    /// Removes the bodies of entries; most have none.
    package func remove(_ ids: some Sequence<OutboxEntry.ID>) {
        for id in ids { place(id).map(FileDescriptor.removeFile) }
    }

    /// Returns the entries whose files have not changed for a while, and removes incomplete files of that age.
    ///
    /// - Parameter age: In seconds, longer than any step of storing a body takes.
    func untouched(for age: Double) -> Set<OutboxEntry.ID> {
        var ids: Set<OutboxEntry.ID> = []
        // By the clock of the file system, not of the outbox.
        let latest = Date().timeIntervalSince1970 - age
        for name in names {
            guard let changed = FileDescriptor.inodeChanged("\(path)/\(name)"), changed <= latest else { continue }
            if name.hasSuffix(Self.partSuffix) { FileDescriptor.removeFile("\(path)/\(name)") } else { ids.insert(OutboxEntry.ID(rawValue: name)) }
        }
        return ids
    }

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

    /// The total size of all files, including those being written.
    private var total: Int64 { names.reduce(0) { $0 + (FileDescriptor.status("\(path)/\($1)")?.size ?? 0) } }

    private func place(_ id: OutboxEntry.ID) -> String? {
        let name = id.rawValue
        let isPlain = (1...200).contains(name.utf8.count) && name.utf8.allSatisfy { PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: ".") }
        return isPlain ? "\(path)/\(name)" : nil
    }

    private static let partSuffix = ".part"
}

extension OutboxFolder {
    /// Creates the folder for tools that read a store without an outbox.
    package init?(_ store: any OutboxStore) { self.init(store, OutboxCoder(sealer: nil)) }
}

extension TarmacError {
    fileprivate static func outboxFilesFull(_ limit: Int64) -> TarmacError {
        TarmacError(
            .outboxFull, "the bodies an outbox keeps as files would have more than the \(limit) bytes (maximumFileBytes) they may have together",
            suggestion: "send or drop dead letters, or raise maximumFileBytes")
    }
}
