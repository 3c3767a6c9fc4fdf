import TarmacCore
import TarmacJSON

extension CallLog {
    /// Returns a call as one line of JSON without its end. No value of an entry fails to encode.
    static func jsonLine(_ entry: Entry) -> [UInt8] {
        var encoder = TarmacJSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encodeBytes(entry)) ?? []
    }
}

/// A file of lines that grows at its end, in two halves: when one is full, it replaces the older one. Only its user may read it.
struct RecordFile: Sendable {
    private let path: String
    private let half: Int64
    /// The largest file that is read.
    private static let longest: Int64 = 256 << 20

    init(_ path: String, limit: Int) { (self.path, half) = (path, Int64(max(limit, 2) / 2)) }

    private static func old(_ path: String) -> String { path + ".old" }

    /// Appends lines. Each is written as a whole or, by a crash, cut off at the end of the file.
    func append(_ lines: [[UInt8]]) throws(TarmacError) {
        var file = try OpenRecord(path)
        defer { file.close() }
        for line in lines where Int64(line.count) < half {
            if file.size + Int64(line.count) + 1 > half {
                file.close()
                guard FileDescriptor.renameFile(path, to: Self.old(path)) else { throw OpenRecord.failure(path) }
                file = try OpenRecord(path)
            }
            try file.write(line + [0x0A])
        }
    }

    /// Returns the calls of both halves. Of a call that was written twice, the later one counts.
    static func entries(of path: String) throws(TarmacError) -> [CallLog.Entry] {
        let older = FileDescriptor.isMissing(old(path)) ? [] : try lines(of: old(path))
        let lines = older + (FileDescriptor.isMissing(path) && !older.isEmpty ? [] : try lines(of: path))
        let decoder = TarmacJSONDecoder()
        var entries: [CallLog.Entry] = []
        var places: [CallLog.Entry.Key: Int] = [:]
        for line in lines {
            guard let entry = try? decoder.decode(CallLog.Entry.self, from: Array(line)) else { continue }
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
        let descriptor = FileDescriptor.openForReading(path)
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
    }

    fileprivate var key: Key { Key(id: id, call: call, start: startMilliseconds) }
}

/// A record that is open for writing.
private struct OpenRecord {
    private let path: String
    private var descriptor: Int32
    private(set) var size: Int64

    init(_ path: String) throws(TarmacError) {
        self.path = path
        descriptor = FileDescriptor.openForResuming(path)
        guard descriptor >= 0 else { throw Self.failure(path) }
        let held = descriptor
        guard FileDescriptor.isPrivate(held), let size = FileDescriptor.size(held) else {
            FileDescriptor.closeFile(held)
            throw TarmacError(.unreadableFile, "the record \(path) may be read by others, or is not a file of this user", suggestion: "delete it")
        }
        guard FileDescriptor.lock(held) else {
            FileDescriptor.closeFile(held)
            throw TarmacError(.unreadableFile, "another process writes to the record \(path)", suggestion: "give each process its own file")
        }
        self.size = size
        // A line that a crash has cut off ends here.
        if size > 0, lastByte != 0x0A { try write([0x0A]) }
    }

    static func failure(_ path: String) -> TarmacError {
        TarmacError(.unreadableFile, "the record \(path) cannot be written: \(FileDescriptor.lastError)")
    }

    private var lastByte: UInt8 {
        var byte: UInt8 = 0
        _ = withUnsafeMutableBytes(of: &byte) { FileDescriptor.read(descriptor, into: $0, at: size - 1) }
        return byte
    }

    mutating func write(_ bytes: [UInt8]) throws(TarmacError) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes { FileDescriptor.write(descriptor, from: $0, at: size) }
            guard count > 0 else { throw Self.failure(path) }
            offset += count
            size += Int64(count)
        }
    }

    mutating func close() {
        if descriptor >= 0 { FileDescriptor.closeFile(descriptor) }
        descriptor = -1
    }
}
