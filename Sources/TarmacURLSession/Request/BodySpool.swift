import TarmacCore

/// A request body at rest, of known length.
enum RestingBody: Sendable {
    case none
    case bytes(Bytes)
    case file(path: String, length: Int64)
    case temporary(TemporaryFile, length: Int64)
    /// Files and bytes one after the other, which are read as they are sent.
    case steady(ByteStream, length: Int64)

    var length: Int64 {
        switch self {
        case .none: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .file(_, let length), .temporary(_, let length), .steady(_, let length): length
        }
    }

    /// The body as it is; `nil` for a stream that may have to be waited for, which is spooled first.
    init?(_ body: Body) {
        switch body.content {
        case .none: self = .none
        case .bytes(let bytes): self = .bytes(bytes)
        case .file(let path): self = .file(path: path, length: body.length ?? 0)
        case .stream(let stream):
            guard stream.isSteady, body.isReplayable, let length = body.length else { return nil }
            self = .steady(stream, length: length)
        }
    }
}

/// Brings a stream to rest before it is sent: in memory up to 256 KiB, beyond that in a temporary file.
///
/// Foundation on Linux reads a body stream on the one thread that serves every session of the process, so a stream
/// that waits for its producer would stop them all.
struct BodySpool {
    static let memoryLimit = 256 << 10

    private var meter: BodyMeter
    private var memory: [UInt8] = []
    private var file: TemporaryFile?

    private init(declared: Int64?) { meter = BodyMeter(declared: declared) }

    /// Throws what the stream throws, and `TarmacError(.invalidParameter)` when it is not as long as declared.
    ///
    /// - Parameter onChunk: told that the stream comes on.
    static func collect(_ stream: ByteStream, declared: Int64?, onChunk: () -> Void = {}) async throws -> RestingBody {
        var spool = BodySpool(declared: declared)
        for try await chunk in stream {
            try spool.append(chunk)
            onChunk()
        }
        return try spool.finish()
    }

    private mutating func append(_ chunk: Bytes) throws(TarmacError) {
        let offset = meter.sent
        try meter.note(chunk.count)
        if file == nil, memory.count + chunk.count <= Self.memoryLimit {
            chunk.withUnsafeBytes { memory.append(contentsOf: $0) }
        } else {
            let file = try openFile()
            try chunk.withUnsafeBytes { bytes throws(TarmacError) in try file.write(bytes, at: offset) }
        }
    }

    private mutating func openFile() throws(TarmacError) -> TemporaryFile {
        if let file { return file }
        let file = try TemporaryFile(isNamed: Platform.namesTemporaryBodies)
        try Bytes(memory).withUnsafeBytes { bytes throws(TarmacError) in try file.write(bytes, at: 0) }
        memory = []
        self.file = file
        return file
    }

    private mutating func finish() throws(TarmacError) -> RestingBody {
        try meter.note(0)
        return file.map { .temporary($0, length: meter.sent) } ?? .bytes(Bytes(memory))
    }
}
