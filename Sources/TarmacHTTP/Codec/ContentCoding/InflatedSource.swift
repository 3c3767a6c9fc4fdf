extension ContentDecoder {
    /// Decodes a stream. Each chunk has at most 64 KiB, whatever the size to which a coded chunk decompresses.
    static func inflate(_ stream: ByteStream, _ coding: ContentCoding, limit: Int) -> ByteStream {
        ByteStream { InflatedSource(stream.makeAsyncIterator(), coding, limit: max(0, limit)) }
    }
}

/// Reads a coded chunk only after everything before it is decoded and delivered.
private final class InflatedSource: ByteStreamSource {
    private struct State {
        var upstream: ByteStream.Iterator?
        var inflater: (any ContentInflater)?
        var chunk = Bytes.empty
        var offset = 0
        var produced = 0
        var failure: (any Error)?
    }

    private let coding: ContentCoding
    private let limit: Int
    // SAFETY: a ByteStream has one reader, which awaits each `next()` before the following one.
    private nonisolated(unsafe) var state: State

    init(_ upstream: sending ByteStream.Iterator, _ coding: ContentCoding, limit: Int) {
        self.coding = coding
        self.limit = limit
        state = State(upstream: upstream)
    }

    func next() async throws -> Bytes? {
        if let failure = state.failure { throw failure }
        do {
            return try await advance()
        } catch {
            // The release of the upstream iterator ends the exchange behind it.
            state = State(failure: error)
            throw error
        }
    }

    private func advance() async throws -> Bytes? {
        while true {
            if let piece = try piece() { return piece }
            guard let chunk = try await state.upstream?.next() else { break }
            (state.chunk, state.offset) = (chunk, 0)
        }
        try state.inflater?.finish()
        state = State()
        return nil
    }

    private func piece() throws(TarmacError) -> Bytes? {
        guard !state.chunk.isEmpty else { return nil }
        let inflater = try inflater()
        var output = GrowingBuffer(capacity: capacity, ceiling: capacity)
        try state.chunk.withUnsafeBytes { chunk throws(TarmacError) in
            while !output.free.isEmpty {
                let step = try inflater.step(UnsafeRawBufferPointer(rebasing: chunk[state.offset...]), into: output.free)
                if step == .idle { break }
                state.offset += step.consumed
                output.fill(step.produced)
            }
        }
        guard output.count > 0 else {
            state.chunk = .empty
            return nil
        }
        state.produced += output.count
        if state.produced > limit { throw .inflatedBodyTooLarge(limit: limit) }
        return output.finish()
    }

    private func inflater() throws(TarmacError) -> any ContentInflater {
        if let inflater = state.inflater { return inflater }
        let inflater = try coding.makeInflater()
        state.inflater = inflater
        return inflater
    }

    /// Four times the rest of the chunk, so that many small chunks do not cost 64 KiB each.
    private var capacity: Int {
        let wanted = max(4_096, (state.chunk.count - state.offset) * 4)
        let allowed = limit - state.produced
        return min(wanted, ContentDecoder.pieceSize, allowed == .max ? .max : allowed + 1)
    }
}
