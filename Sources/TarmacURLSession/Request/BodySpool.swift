@_spi(TarmacRooms) import TarmacCore

/// A request body of known length that can be read without waiting.
enum RestingBody: Sendable {
    case none
    case bytes(Bytes)
    case file(path: String, length: Int64)
    case temporary(TemporaryFile, length: Int64)
    /// Files and bytes in sequence, which are read while they are sent.
    case steady(ByteStream, length: Int64)

    var length: Int64 {
        switch self {
        case .none: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .file(_, let length), .temporary(_, let length), .steady(_, let length): length
        }
    }

    /// Makes the body without a copy. `nil` for a stream that may have to wait, which has to be collected
    /// first.
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

/// Collects a stream before it is sent: in memory up to 256 KiB, and beyond that in a temporary file.
///
/// Foundation on Linux reads a body stream on the one thread of all sessions of the process, so a stream that
/// waits for its producer would block them all.
struct BodySpool {
    static let memoryLimit = 256 << 10

    private var meter: BodyMeter
    private var memory: [UInt8] = []
    private var file: TemporaryFile?

    private init(declared: Int64?) { meter = BodyMeter(declared: declared) }

    /// Collects a stream.
    ///
    /// - Parameter onChunk: a closure that runs for each chunk.
    /// - Throws: the error of the stream, and `TarmacError(.invalidParameter)` if the stream does not have its
    ///   declared length.
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
