#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
@_spi(TarmacRooms) public import TarmacCore
import TarmacDigest
import TarmacSupport
import TarmacTransfer

/// The content of a resumable upload: bytes that can be read from any position, any number of times.
public struct UploadSource: Sendable {
    enum Content: Sendable {
        case file(path: String, state: String)
        case bytes(Bytes)
        /// Content that is read by a source of its own, such as a sealed file, and does not change.
        case ranges(@Sendable (Range<Int64>) -> any SteadySource)
    }
    let content: Content
    /// The name for the server and the ledger.
    package let name: String
    let length: Int64
    /// Text that differs for another file of the same name.
    let fingerprint: String

    /// Returns a file as a source. It is read while it is sent, and must not change until the upload is complete.
    ///
    /// Throws `TarmacError(.unreadableFile)` if there is no readable regular file at `path`.
    public static func file(_ path: String) throws(TarmacError) -> UploadSource {
        guard let found = Self.look(at: path) else { throw unreadable(path, "there is no readable regular file") }
        return UploadSource(
            content: .file(path: path, state: found.state), name: FilePlace.name(of: path), length: found.length, fingerprint: found.fingerprint)
    }

    /// Returns bytes in memory as a source with a name.
    public static func data(_ data: Data, name: String) -> UploadSource {
        bytes(Bytes(data), named: name)
    }

    /// Returns bytes in memory as a source with a name.
    package static func bytes(_ bytes: Bytes, named name: String) -> UploadSource {
        UploadSource(
            content: .bytes(bytes), name: name, length: Int64(bytes.count), fingerprint: Hexadecimal.text(PublicHash.hash(bytes.array)))
    }

    /// Returns a file as a source under another name.
    package static func file(_ path: String, named name: String) throws(TarmacError) -> UploadSource {
        let file = try file(path)
        return UploadSource(content: file.content, name: name, length: file.length, fingerprint: file.fingerprint)
    }

    /// Returns content that `read` reads in ranges and that does not change.
    package static func ranges(
        named name: String, length: Int64, fingerprint: String, _ read: @escaping @Sendable (Range<Int64>) -> any SteadySource
    ) -> UploadSource {
        UploadSource(content: .ranges(read), name: name, length: length, fingerprint: fingerprint)
    }

    /// The whole content as a body.
    package func body() throws(TarmacError) -> Body {
        switch content {
        case .file(let path, _): try .file(path)
        case .bytes(let bytes): .bytes(bytes)
        case .ranges: .stream(slice(0..<length), length: length, isReplayable: true)
        }
    }

    /// Throws if the file has changed since the upload started: its parts would not fit together.
    func checkUnchanged() throws(TarmacError) {
        guard case .file(let path, let state) = content else { return }
        guard let now = Self.open(path, FileDescriptor.state), now.isExactly(state) else { throw Self.unreadable(path, "it was changed while it was uploaded") }
    }

    /// Returns a range of the content as a replayable stream.
    func slice(_ range: Range<Int64>) -> ByteStream {
        switch content {
        case .file(let path, _): ByteStream.steady { FileSlice(path: path, range) }
        case .bytes(let bytes): ByteStream.steady { FileSlice(bytes, range) }
        case .ranges(let read): ByteStream.steady { read(range) }
        }
    }

    private static func open<Value>(_ path: String, _ body: (Int32) -> Value?) -> Value? {
        let descriptor = FileDescriptor.openForReading(path)
        guard descriptor >= 0 else { return nil }
        defer { FileDescriptor.closeFile(descriptor) }
        return body(descriptor)
    }

    /// A copy of a file is the same content, so the fingerprint tells no more of the place than its name. Two files may have one length and one
    /// date, so it tells of their bytes: of all of them, or of pieces at equal distances in a file that is larger than 4 MiB.
    private static func look(at path: String) -> (length: Int64, state: String, fingerprint: String)? {
        open(path) { descriptor in
            guard let length = FileDescriptor.size(descriptor), let date = FileDescriptor.modified(descriptor), let state = FileDescriptor.state(descriptor)
            else { return nil }
            let steps = min(sampleCount, max(1, (length - 1) / sampleSize + 1)), last = max(0, length - sampleSize)
            var sample: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: Int(sampleSize))
            for step in 0..<steps {
                // The pieces of a small file overlap. Divided first, because the product may not fit.
                let place = steps == 1 ? 0 : last / (steps - 1) * step + last % (steps - 1) * step / (steps - 1)
                let count = piece.withUnsafeMutableBytes { FileDescriptor.read(descriptor, into: $0, at: place) }
                guard count >= 0 else { return nil }
                sample += piece.prefix(count)
            }
            return (length, state, "\(length)-\(date)-\(Hexadecimal.text(PublicHash.hash(sample)))")
        }
    }

    private static let sampleSize: Int64 = 65_536
    private static let sampleCount: Int64 = 64

    private static func unreadable(_ path: String, _ reason: String) -> TarmacError {
        TarmacError(.unreadableFile, "the file \"\(path)\" cannot be read: \(reason)")
    }
}
