@_spi(TarmacRooms) import TarmacCore

/// A stream whose beginning is copied while it is read. It passes each chunk on as it arrives and reads nothing by itself.
final class LoggedStream: PouringSource {
    private let source: any ByteStreamSource
    private let copy: StreamCopy

    private init(_ source: any ByteStreamSource, _ copy: StreamCopy) { (self.source, self.copy) = (source, copy) }

    /// - Parameters:
    ///   - limit: the number of bytes to keep.
    ///   - tell: receives what is kept so far: whenever that has doubled, once the limit is reached, and at the end of the stream.
    static func wrap(_ stream: ByteStream, limit: Int, tell: @escaping @Sendable (RawBody) -> Void) -> ByteStream {
        ByteStream { LoggedStream(stream.makeSource(), StreamCopy(limit: limit, tell: tell)) }
    }

    func next() async throws -> Bytes? {
        do {
            let chunk = try await source.next()
            if let chunk { copy.add(chunk) } else { copy.end(isWhole: true) }
            return chunk
        } catch {
            copy.end(isWhole: false)
            throw error
        }
    }

    func pour(into sink: @escaping @Sendable (Bytes) throws -> Void) async throws {
        do {
            try await source.pourAll { [copy] chunk in
                copy.add(chunk)
                try sink(chunk)
            }
            copy.end(isWhole: true)
        } catch {
            copy.end(isWhole: false)
            throw error
        }
    }
}

/// The beginning of a stream.
private final class StreamCopy: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var size: Int64 = 0
        /// The number of bytes that the log knows.
        var told = 0
        var isOver = false
    }
    private let limit: Int
    private let tell: @Sendable (RawBody) -> Void
    private let state = Locked(State())

    init(limit: Int, tell: @escaping @Sendable (RawBody) -> Void) { (self.limit, self.tell) = (limit, tell) }

    deinit { end(isWhole: false) }

    func add(_ chunk: Bytes) {
        let bytes = state.withLock { state -> [UInt8]? in
            state.size += Int64(chunk.count)
            let room = limit - state.bytes.count
            guard room > 0 else { return nil }
            chunk.withUnsafeBytes { state.bytes.append(contentsOf: $0.prefix(room)) }
            // The log shares the bytes, so that the next chunk copies them: not for each chunk.
            guard state.bytes.count >= min(2 * state.told, limit), !state.bytes.isEmpty else { return nil }
            state.told = state.bytes.count
            return state.bytes
        }
        if let bytes { tell(RawBody(bytes: Bytes(bytes))) }
    }

    /// - Parameter isWhole: whether the stream was read to its end, so that its size is known.
    func end(isWhole: Bool) {
        let body = state.withLock { state -> RawBody? in
            if state.isOver { return nil }
            state.isOver = true
            return RawBody(bytes: Bytes(state.bytes), size: isWhole ? state.size : nil)
        }
        if let body { tell(body) }
    }
}
