#if NIO
import NIOCore
import NIOPosix
import TarmacConnection
@_spi(TarmacRooms) import TarmacCore

/// Reads a request body and sends it, at most as fast as the connection has room.
struct UploadPump: Sendable {
    /// The size of a chunk. A body of bytes up to this size is sent with the head, unless its progress counts.
    /// A file is read in chunks of this size.
    static let chunkSize = 512 * 1024
    /// The size of a written and reported piece. A slow connection sends a piece well within every time limit,
    /// which might not hold for a whole chunk.
    static let pieceSize = 64 * 1024

    let exchange: WireExchange
    let connection: ConnectionLink

    func run() async throws {
        switch exchange.message.body.content {
        case .none: break
        case .bytes(let bytes): try await send(bytes)
        case .file(let path): try await sendFile(path)
        case .stream(let stream): try await send(stream)
        }
        connection.finishBody(of: exchange)
    }

    private func send(_ bytes: Bytes) async throws {
        var offset = 0
        while offset < bytes.count {
            let end = min(offset + Self.chunkSize, bytes.count)
            let chunk = bytes.withUnsafeBytes { ByteBuffer(copying: UnsafeRawBufferPointer(rebasing: $0[offset..<end])) }
            try await connection.send(chunk, of: exchange)
            offset = end
        }
    }

    private func send(_ stream: ByteStream) async throws {
        var meter = LengthMeter(stated: exchange.message.body.length)
        for try await chunk in stream {
            try Task.checkCancellation()
            try meter.add(chunk.count)
            try await connection.send(chunk.withUnsafeBytes { ByteBuffer(copying: $0) }, of: exchange)
        }
        try Task.checkCancellation()
        try meter.finish()
    }

    private func sendFile(_ path: String) async throws {
        let length = exchange.message.body.length ?? 0
        let file = try await NIOThreadPool.singleton.runIfActive { try OpenFile(path) }
        var offset: Int64 = 0
        while offset < length {
            let position = offset
            let count = Int(min(Int64(Self.chunkSize), length - offset))
            let chunk = try await NIOThreadPool.singleton.runIfActive { try file.read(count, at: position) }
            offset += Int64(chunk.readableBytes)
            try await connection.send(chunk, of: exchange)
        }
    }
}

/// Checks a stream against its stated length, which the head has promised.
struct LengthMeter {
    let stated: Int64?
    private var count: Int64 = 0

    init(stated: Int64?) { self.stated = stated }

    mutating func add(_ bytes: Int) throws(TarmacError) {
        count += Int64(bytes)
        if let stated, count > stated { throw mismatch("it holds more than the \(stated) bytes stated") }
    }

    func finish() throws(TarmacError) {
        if let stated, count < stated { throw mismatch("it ended after \(count) of the \(stated) bytes stated") }
    }

    private func mismatch(_ what: String) -> TarmacError {
        TarmacError(.invalidParameter, phase: .sending, "the request body does not have its stated length: \(what)")
    }
}

/// A file that is being sent.
private final class OpenFile: Sendable {
    private let descriptor: Int32
    private let path: String

    init(_ path: String) throws(TarmacError) {
        self.path = path
        descriptor = FileDescriptor.openForReading(path)
        guard descriptor >= 0 else { throw Self.unreadable(path, FileDescriptor.lastError) }
    }

    deinit { if descriptor >= 0 { FileDescriptor.closeFile(descriptor) } }

    func read(_ count: Int, at offset: Int64) throws(TarmacError) -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        let read = buffer.withUnsafeMutableWritableBytes { space in
            FileDescriptor.read(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: space.prefix(count)), at: offset)
        }
        guard read >= 0 else { throw Self.unreadable(path, FileDescriptor.lastError) }
        guard read > 0 else { throw Self.unreadable(path, "it has become shorter while it was sent") }
        buffer.moveWriterIndex(forwardBy: read)
        return buffer
    }

    private static func unreadable(_ path: String, _ reason: String) -> TarmacError {
        TarmacError(.unreadableFile, phase: .sending, "the file \"\(path)\" cannot be read: \(reason)")
    }
}

extension WireExchange {
    /// Starts to send a body that is not sent with the head.
    func startUpload(to connection: ConnectionLink) {
        // LIFETIME: cancelled by the end of the exchange; it also ends by itself when the connection accepts no
        // more.
        let pump = Task { [self] in
            do { try await UploadPump(exchange: self, connection: connection).run() } catch {
                if !(error is UploadStopped) { end(BodyFailure.error(for: error)) }
            }
        }
        let isEnded = state.withLock { state in
            if !state.isEnded { state.upload = pump }
            return state.isEnded
        }
        if isEnded { pump.cancel() }
    }
}
#endif
