internal import CZlib
package import TarmacCore
import TarmacSupport

/// The format of a file: the body, the entry, and a footer with their places and checksums. A newer entry is written
/// after the older one; the last one counts.
enum CacheFile {
    /// The places of the parts of a file.
    struct Footer {
        let bodyLength: Int64
        let bodyChecksum: UInt32
        let entryLength: Int
        let entryChecksum: UInt32
        /// The size of the whole file.
        var size: Int64 = 0
    }
    struct Content {
        let entry: CacheEntry
        /// The body. `nil` if it is larger than the limit.
        let body: Bytes?
        let footer: Footer
    }
    enum Outcome {
        case entry(Content)
        case missing
        case corrupt
        /// The file may be valid, but cannot be opened or read now, for example for lack of descriptors.
        case unreadable
    }
    private enum Fault: Error {
        case damaged, unreadable
    }
    private static let magic = Array("TarmacC1".utf8)
    private static let footerSize = 28
    private static let maximumEntry = 1 << 20

    // MARK: Writing

    static func write(_ bytes: Bytes, to descriptor: Int32, at offset: Int64) -> Bool {
        bytes.withUnsafeBytes { write($0, to: descriptor, at: offset) }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64) -> Bool {
        var end = offset
        return FileDescriptor.writeAll(descriptor, from: bytes, at: &end)
    }

    /// Writes the entry after the body. Returns the size of the file, or `nil` if it cannot be written.
    static func finish(_ descriptor: Int32, _ entry: CacheEntry, _ body: Checksum) -> Int64? {
        write(entry, to: descriptor, at: entry.bodyLength, body: body.value)
    }

    /// A function that writes bytes to a place in a file, and returns `false` if there is no room for all of them.
    typealias Writing = (_ bytes: UnsafeRawBufferPointer, _ descriptor: Int32, _ offset: Int64) -> Bool

    /// Writes a newer entry after the older one. Returns the size of the file.
    static func append(_ entry: CacheEntry, to path: String, _ footer: Footer, writing: Writing = { write($0, to: $1, at: $2) }) -> Int64? {
        let descriptor = FileDescriptor.openForUpdate(path)
        guard descriptor >= 0 else { return nil }
        defer { FileDescriptor.closeFile(descriptor) }
        if let size = write(entry, to: descriptor, at: footer.size, body: footer.bodyChecksum, writing) { return size }
        // On a full disk, the older entry is complete and stays valid.
        _ = FileDescriptor.truncate(descriptor, to: footer.size)
        return nil
    }

    private static func write(
        _ entry: CacheEntry, to descriptor: Int32, at offset: Int64, body checksum: UInt32, _ writing: Writing = { write($0, to: $1, at: $2) }
    ) -> Int64? {
        var bytes = entry.encoded
        guard bytes.count <= maximumEntry else { return nil }
        let own = Checksum(bytes).value, length = UInt32(bytes.count)
        for number in [checksum, length, own] { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }
        withUnsafeBytes(of: UInt64(entry.bodyLength).littleEndian) { bytes.append(contentsOf: $0) }
        bytes += magic
        let isWritten = bytes.withUnsafeBytes { writing($0, descriptor, offset) }
        return isWritten ? offset + Int64(bytes.count) : nil
    }

    // MARK: Reading

    static func read(_ path: String, id: UInt64, inlineLimit: Int64) -> Outcome {
        let descriptor = FileDescriptor.openWithoutFollowing(path)
        guard descriptor >= 0 else { return FileDescriptor.hasFoundNoFile ? .missing : .unreadable }
        defer { FileDescriptor.closeFile(descriptor) }
        do throws(Fault) { return .entry(try content(descriptor, id: id, inlineLimit: inlineLimit)) } catch {
            return error == .unreadable ? .unreadable : .corrupt
        }
    }

    private static func content(_ descriptor: Int32, id: UInt64, inlineLimit: Int64) throws(Fault) -> Content {
        let footer = try footer(descriptor)
        let bytes = try bytes(descriptor, footer.entryLength, at: footer.size - Int64(footerSize + footer.entryLength))
        guard Checksum(bytes).value == footer.entryChecksum, let entry = CacheEntry(encoded: bytes), entry.id == id,
            entry.bodyLength == footer.bodyLength
        else { throw .damaged }
        guard footer.bodyLength <= inlineLimit else { return Content(entry: entry, body: nil, footer: footer) }
        let body = try self.bytes(descriptor, Int(footer.bodyLength), at: 0)
        guard Checksum(body).value == footer.bodyChecksum else { throw .damaged }
        return Content(entry: entry, body: Bytes(body), footer: footer)
    }

    private static func footer(_ descriptor: Int32) throws(Fault) -> Footer {
        guard let size = FileDescriptor.size(descriptor), size >= Int64(footerSize) else { throw .damaged }
        let bytes = try bytes(descriptor, footerSize, at: size - Int64(footerSize))
        guard Array(bytes[20...]) == magic else { throw .damaged }
        func number(_ range: Range<Int>) -> UInt64 { bytes[range].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        let bodyLength = Int64(truncatingIfNeeded: number(12..<20))
        guard let entryLength = Int(exactly: number(4..<8)), entryLength <= maximumEntry, bodyLength >= 0,
            bodyLength <= size - Int64(footerSize + entryLength)
        else { throw .damaged }
        return Footer(
            bodyLength: bodyLength, bodyChecksum: UInt32(number(0..<4)), entryLength: entryLength, entryChecksum: UInt32(number(8..<12)), size: size)
    }

    private static func bytes(_ descriptor: Int32, _ count: Int, at offset: Int64) throws(Fault) -> [UInt8] {
        var fault: Fault?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<count])
                let read = FileDescriptor.read(descriptor, into: rest, at: offset + Int64(filled))
                guard read > 0 else {
                    // The end of a file that was longer a moment ago is damage; an error of the disk may pass.
                    fault = read < 0 ? .unreadable : .damaged
                    return
                }
                filled += read
            }
        }
        if let fault { throw fault }
        return bytes
    }
}

/// A running CRC-32 checksum. It detects damage, not manipulation.
package struct Checksum: Sendable {
    package private(set) var value: UInt32 = 0

    init() {}

    package init(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }

    package init(_ bytes: Bytes) { add(bytes) }

    mutating func add(_ chunk: Bytes) { chunk.withUnsafeBytes { add($0) } }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        // zlib counts in 32 bits.
        while let base = rest.baseAddress, !rest.isEmpty {
            let count = min(rest.count, 1 << 30)
            value = UInt32(truncatingIfNeeded: crc32(UInt(value), base.assumingMemoryBound(to: UInt8.self), UInt32(count)))
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }
}

/// A body that is read from its file in chunks. A damaged body ends with an error and is removed.
final class FileBodySource: ByteStreamSource {
    private struct State {
        var offset: Int64 = 0
        var checksum = Checksum()
    }
    private let descriptor: Int32
    private let footer: CacheFile.Footer
    private let onDamage: @Sendable () -> Void
    // SAFETY: a ByteStream has one reader, which awaits each `next()` before the following one.
    private nonisolated(unsafe) var state = State()
    private static let chunkSize = 64 << 10

    init?(_ path: String, _ footer: CacheFile.Footer, onDamage: @escaping @Sendable () -> Void) {
        descriptor = FileDescriptor.openWithoutFollowing(path)
        self.footer = footer
        self.onDamage = onDamage
        if descriptor < 0 { return nil }
    }

    /// Whether the body is that of its checksum, so that damage is found before a byte is handed on. It is read once for that.
    static func isIntact(_ path: String, _ footer: CacheFile.Footer, onDamage: @escaping @Sendable () -> Void) -> Bool {
        guard let source = FileBodySource(path, footer, onDamage: onDamage) else { return false }
        do {
            while try source.chunk() != nil {}
            return true
        } catch { return false }
    }

    func next() async throws -> Bytes? { try chunk() }

    private func chunk() throws -> Bytes? {
        let rest = footer.bodyLength - state.offset
        guard rest > 0 else {
            if state.checksum.value != footer.bodyChecksum { throw damaged() }
            return nil
        }
        let size = Int(min(rest, Int64(Self.chunkSize))), offset = state.offset, descriptor = descriptor
        var read = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            read = FileDescriptor.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            filled = max(0, read)
        }
        if read < 0 { throw TarmacError(.truncatedBody, phase: .receiving, "the stored body cannot be read: \(FileDescriptor.lastError)") }
        if bytes.isEmpty { throw damaged() }
        let chunk = Bytes(bytes)
        state.checksum.add(chunk)
        state.offset += Int64(bytes.count)
        return chunk
    }

    private func damaged() -> TarmacError {
        onDamage()
        return TarmacError(.truncatedBody, phase: .receiving, "the stored body is damaged", suggestion: "make the call again")
    }

    deinit { FileDescriptor.closeFile(descriptor) }
}
