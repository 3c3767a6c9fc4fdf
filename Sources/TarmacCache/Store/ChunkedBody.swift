@_spi(TarmacRooms) package import TarmacCore

/// A body that a store writes in chunks, unless it is small.
package final class ChunkedBody: Sendable {
    /// A part of the body, with its number from 0.
    package typealias Chunk = (number: Int64, bytes: [UInt8])

    private struct State {
        var gathered: [UInt8] = []
        var length: Int64 = 0
        var chunks: Int64 = 0
        var isOver = false
    }

    private let state = Locked(State())
    package static let chunkSize = 256 << 10

    package init() {}

    /// Takes bytes, and writes each chunk that is full.
    ///
    /// - Throws: ``TarmacError/Code/bodyTooLarge`` beyond a quarter of the store's limit.
    package func append(_ bytes: Bytes, storeLimit: Int64, write: (Chunk) async throws -> Void) async throws {
        let isTooLarge = state.withLock { state in
            state.length += Int64(bytes.count)
            return state.length > storeLimit / 4
        }
        if isTooLarge { throw TarmacError(.bodyTooLarge, phase: .receiving, "the body does not fit into the cache") }
        var place = 0
        while place < bytes.count {
            place = gather(bytes, from: place)
            if let next = takeChunk(ofAtLeast: Self.chunkSize) { try await write(next) }
        }
    }

    /// Adds bytes up to the size of a chunk; returns where the rest begins.
    private func gather(_ bytes: Bytes, from place: Int) -> Int {
        state.withLock { state in
            if state.isOver { return bytes.count }
            let end = min(bytes.count, place + Self.chunkSize - state.gathered.count)
            bytes.withUnsafeBytes { state.gathered.append(contentsOf: $0[place..<end]) }
            return end
        }
    }

    private func takeChunk(ofAtLeast size: Int) -> Chunk? {
        state.withLock { state in
            guard !state.isOver, state.gathered.count >= size else { return nil }
            defer { (state.chunks, state.gathered) = (state.chunks + 1, []) }
            return (state.chunks, state.gathered)
        }
    }

    /// Ends a body without chunks that is no longer than `limit`, and returns it.
    package func endSmall(limit: Int) -> Bytes? {
        state.withLock { state in
            guard state.chunks == 0, state.gathered.count <= limit else { return nil }
            state.isOver = true
            return Bytes(state.gathered)
        }
    }

    /// The last chunk, if there is one that was not written.
    package func rest() -> Chunk? { takeChunk(ofAtLeast: 1) }

    /// The bytes and chunks so far.
    package var size: (bytes: Int64, chunks: Int64) { state.withLock { ($0.length, $0.chunks) } }

    /// Ends the body; returns whether chunks of it were written that nothing belongs to. `false` if it has ended before.
    package func end() -> Bool {
        state.withLock { state in
            defer { (state.isOver, state.gathered) = (true, []) }
            return !state.isOver && state.chunks > 0
        }
    }
}
