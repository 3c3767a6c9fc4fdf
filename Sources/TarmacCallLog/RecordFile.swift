import TarmacCore
import TarmacJSON
import TarmacSupport

extension CallLog {
    /// Returns a call as one line of JSON without its end. No value of an entry fails to encode.
    static func jsonLine(_ call: some Encodable) -> [UInt8] {
        var encoder = TarmacJSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encodeBytes(call)) ?? []
    }
}

/// A file of lines that grows at its end, in two halves: when one is full, it replaces the older one. Only its user may read it.
///
/// A writer locks the file while it writes. Another one, of this process or of another, waits for it.
struct RecordFile: Sendable {
    /// Writes bytes at an offset of a descriptor and returns their number, or a negative number for a failure.
    typealias Write = @Sendable (Int32, UnsafeRawBufferPointer, Int64) -> Int
    /// Returns after the time between two tries to lock the file.
    typealias Pause = @Sendable () async -> Void

    private let path: String
    private let half: Int64
    private let write: Write
    private let pause: Pause
    /// The largest file that is read.
    private static let longest: Int64 = 256 << 20
    /// Together with the pause, the time that another writer may take: five seconds.
    private static let mostTries = 500

    /// Only tests change `write` and `pause`.
    init(
        _ path: String, limit: Int, write: @escaping Write = { FileDescriptor.write($0, from: $1, at: $2) },
        pause: @escaping Pause = { try? await Task.sleep(for: .milliseconds(10)) }
    ) {
        (self.path, half, self.write, self.pause) = (path, Int64(max(limit, 2) / 2), write, pause)
    }

    private static func old(_ path: String) -> String { path + ".old" }

    /// Appends lines. Each is written as a whole or, by a crash, cut off at the end of the file.
    ///
    /// - Parameter written: the number of lines that are in the file now.
    /// - Throws: the failure to write a line, and after the others are written, that one is longer than half of the limit.
    func append(_ lines: some Sequence<[UInt8]>, counting written: inout Int) async throws(TarmacError) {
        var file = try await opened(), tooLong: Int?
        defer { file.close() }
        for line in lines where !line.isEmpty {
            let length = Int64(line.count) + 1
            if length > half {
                tooLong = line.count
                continue
            }
            while file.size + length > half {
                // Before the lock is released, so that nobody writes to the full file.
                guard FileDescriptor.renameFile(path, to: Self.old(path)) else { throw OpenRecord.failure(path) }
                file.close()
                file = try await opened()
            }
            try file.append(line + [0x0A])
            written += 1
        }
        if let tooLong {
            throw TarmacError(.unreadableFile, "a call of \(tooLong) bytes does not fit into the record \(path)", suggestion: "raise its limit")
        }
    }

    /// Opens the file once no other writer has it.
    private func opened() async throws(TarmacError) -> OpenRecord {
        for _ in 0..<Self.mostTries {
            if let file = try OpenRecord(path, write) { return file }
            await pause()
        }
        throw TarmacError(.unreadableFile, "another process writes to the record \(path)", suggestion: "give each process its own file")
    }

    /// Returns the calls of both halves. Of a call that was written twice, the later one counts.
    static func entries(of path: String) throws(TarmacError) -> [CallLog.Entry] {
        let older = FileDescriptor.isMissing(old(path)) ? [] : try lines(of: old(path))
        let lines = older + (FileDescriptor.isMissing(path) && !older.isEmpty ? [] : try lines(of: path))
        let decoder = TarmacJSONDecoder()
        var entries: [CallLog.Entry] = []
        var places: [CallLog.Entry.Key: Int] = [:]
        for line in lines {
            guard let entry = try? decoder.decode(RecordedCall.self, from: Array(line)).entry else { continue }
            if let place = places[entry.key] {
                entries[place] = entry
            } else {
                places[entry.key] = entries.count
                entries.append(entry)
            }
        }
        return entries
    }

    private static func lines(of path: String) throws(TarmacError) -> [ArraySlice<UInt8>] {
        let descriptor = FileDescriptor.openWithoutFollowing(path)
        guard descriptor >= 0 else { throw TarmacError(.unreadableFile, "the record \(path) cannot be read: \(FileDescriptor.lastError)") }
        defer { FileDescriptor.closeFile(descriptor) }
        guard let size = FileDescriptor.size(descriptor), size <= longest else {
            throw TarmacError(.unreadableFile, "the record \(path) cannot be read: it is no regular file of at most \(longest) bytes")
        }
        var bytes = [UInt8](repeating: 0, count: Int(size)), filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                FileDescriptor.read(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...]), at: Int64(filled))
            }
            if count <= 0 { break }
            filled += count
        }
        return bytes[..<filled].split(separator: 0x0A)
    }
}

extension CallLog.Entry {
    /// The identity of a call in a file to which several runs of an app have written.
    fileprivate struct Key: Hashable {
        let id: UInt64
        let call: UInt64
        let start: Double
        let endpoint: String
        let service: String
    }

    fileprivate var key: Key { Key(id: id, call: call, start: startMilliseconds, endpoint: endpoint, service: service) }
}

/// A record that is open and locked for writing.
private struct OpenRecord {
    private let path: String
    private let write: RecordFile.Write
    private var descriptor: Int32
    private(set) var size: Int64

    /// Returns `nil` if another writer has the file, or has moved it.
    init?(_ path: String, _ write: @escaping RecordFile.Write) throws(TarmacError) {
        let descriptor = FileDescriptor.openForResuming(path)
        guard descriptor >= 0 else { throw Self.failure(path) }
        guard FileDescriptor.isPrivate(descriptor), FileDescriptor.size(descriptor) != nil else {
            FileDescriptor.closeFile(descriptor)
            throw TarmacError(.unreadableFile, "the record \(path) may be read by others, or is not a file of this user", suggestion: "delete it")
        }
        // Only the owner of the lock knows the size.
        guard FileDescriptor.lock(descriptor), FileDescriptor.isFile(descriptor, at: path), let size = FileDescriptor.size(descriptor) else {
            FileDescriptor.closeFile(descriptor)
            return nil
        }
        (self.path, self.write, self.descriptor, self.size) = (path, write, descriptor, size)
        // A line that a crash has cut off ends here.
        guard size > 0, lastByte != 0x0A else { return }
        do { try append([0x0A]) } catch {
            close()
            throw error
        }
    }

    static func failure(_ path: String) -> TarmacError {
        TarmacError(.unreadableFile, "the record \(path) cannot be written: \(FileDescriptor.lastError)")
    }

    private var lastByte: UInt8 {
        var byte: UInt8 = 0
        _ = withUnsafeMutableBytes(of: &byte) { FileDescriptor.read(descriptor, into: $0, at: size - 1) }
        return byte
    }

    mutating func append(_ bytes: [UInt8]) throws(TarmacError) {
        let start = size
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes { write(descriptor, $0, size) }
            guard count > 0 else {
                let failure = Self.failure(path)
                // A line whose end has no room on the disk.
                if FileDescriptor.truncate(descriptor, to: start) { size = start }
                throw failure
            }
            offset += count
            size += Int64(count)
        }
    }

    mutating func close() {
        if descriptor >= 0 { FileDescriptor.closeFile(descriptor) }
        descriptor = -1
    }
}
