import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// Reports to an exchange, and ends it once; later reports are ignored.
final class Ending: Sendable {
    private let hasEnded = Locked(false)
    let exchange: Exchange

    init(_ exchange: Exchange) { self.exchange = exchange }

    func report(_ report: Exchange.Report) {
        if !hasEnded.withLock({ $0 }) { exchange.report(report) }
    }

    func end() {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        if isFirst { exchange.report(.ended) }
    }
}

/// The body of a streamed stub response: reports each chunk, ends at an abort, and ends the exchange when it is
/// released.
final class StubStreamSource: ByteStreamSource {
    private let ending: Ending
    private let aborted = Watched<Exchange.AbortReason?>(nil)
    // SAFETY: a ByteStream has one reader, which awaits each `next()` before the following one.
    private nonisolated(unsafe) var iterator: ByteStream.Iterator

    init(_ body: ResponseBody, ending: Ending) {
        self.ending = ending
        iterator = body.stream.makeAsyncIterator()
        ending.exchange.onAbort { [aborted] reason in aborted.update { $0 = reason } }
    }

    deinit { ending.end() }

    func next() async throws -> Bytes? {
        do {
            try Task.checkCancellation()
            if let reason = aborted.value { throw reason.error }
            guard let chunk = try await nextOrAbort() else {
                ending.end()
                return nil
            }
            ending.report(.receivedBody(bytes: chunk.count))
            return chunk
        } catch {
            ending.end()
            throw error
        }
    }

    private func nextOrAbort() async throws -> Bytes? {
        let race = Race<Bytes?>()
        // LIFETIME: ends with the chunk or the abort; the reading task's cancellation reaches it through the handler.
        let reading = Task { race.finish(await Result { try await self.iterator.next() }) }
        // LIFETIME: cancelled as soon as one of the two has finished.
        let watching = Task { [aborted] in
            guard let reason = try await aborted.wait(until: { $0 != nil }) else { return }
            race.finish(.failure(reason.error))
        }
        defer {
            reading.cancel()
            watching.cancel()
        }
        return try await race.value
    }
}

extension Result where Failure == any Error {
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

extension ResponseBody {
    var stream: ByteStream {
        switch self {
        case .bytes(let bytes): ByteStream(ChunkSequence(chunks: [bytes]))
        case .stream(let stream): stream
        }
    }

    func collect(_ limit: Int, _ ending: Ending) async throws -> Bytes {
        var collector = ByteCollector(limit: limit)
        for try await chunk in stream {
            ending.report(.receivedBody(bytes: chunk.count))
            try collector.append(chunk)
        }
        return collector.finish()
    }
}

extension Body {
    /// Returns the complete body as bytes; `nil` without a body.
    func collected() async throws -> Bytes? {
        switch content {
        case .none: nil
        case .bytes(let bytes): bytes
        case .stream(let stream): try await stream.collect(upTo: .max)
        case .file(let path): try Self.read(path)
        }
    }

    private static func read(_ path: String) throws -> Bytes {
        let descriptor = FileDescriptor.openForReading(path)
        guard descriptor >= 0, let size = FileDescriptor.size(descriptor) else {
            throw TarmacError(.unreadableFile, phase: .sending, "the file \"\(path)\" cannot be read")
        }
        defer { FileDescriptor.closeFile(descriptor) }
        return Bytes(
            [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
                count = max(0, FileDescriptor.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: 0))
            })
    }
}
