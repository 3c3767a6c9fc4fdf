@_spi(TarmacRooms) import TarmacCore

/// A part of a stream, which is not read beyond that part.
final class SlicedSource: ByteStreamSource {
    private struct State {
        var iterator: ByteStream.Iterator?
        var skip: Int64
        var rest: Int64
    }
    // SAFETY: a ByteStream has one reader, which awaits each `next()` before the following one.
    private nonisolated(unsafe) var state: State
    private let keepsPlace: Bool

    /// - Parameter keepsPlace: whether ``readToEnd()`` follows. Default: `false`, and the stream is released with its part.
    init(_ stream: ByteStream, _ range: Range<Int64>, keepsPlace: Bool = false) {
        state = State(iterator: stream.makeAsyncIterator(), skip: range.lowerBound, rest: range.length)
        self.keepsPlace = keepsPlace
    }

    func next() async throws -> Bytes? {
        while state.rest > 0, var iterator = state.iterator {
            let chunk = try await iterator.next()
            state.iterator = iterator
            guard let chunk else { throw TarmacError(.truncatedBody, phase: .receiving, "the body is shorter than it should be") }
            let start = min(state.skip, Int64(chunk.count)), end = min(Int64(chunk.count), start + state.rest)
            state.skip -= start
            state.rest -= end - start
            if end > start { return chunk.slice(start..<end) }
        }
        if !keepsPlace { state.iterator = nil }
        return nil
    }

    /// Reads and drops the rest of the stream, whose end its owner must see.
    func readToEnd() async throws {
        if var iterator = state.iterator { while try await iterator.next() != nil {} }
        state.iterator = nil
    }
}

/// A source without bytes that does something when the sources before it have ended.
final class EndingSource: ByteStreamSource {
    private let end: @Sendable () async throws -> Void

    init(_ end: @escaping @Sendable () async throws -> Void) { self.end = end }

    func next() async throws -> Bytes? {
        try await end()
        return nil
    }
}

/// Streams one after another as one body. Each is read when the one before it has ended.
final class JoinedSource: ByteStreamSource {
    // SAFETY: a ByteStream has one reader, which awaits each `next()` before the following one.
    private nonisolated(unsafe) var sources: [any ByteStreamSource]

    init(_ sources: [any ByteStreamSource]) { self.sources = sources.reversed() }

    func next() async throws -> Bytes? {
        while let source = sources.last {
            if let chunk = try await source.next() { return chunk }
            sources.removeLast()
        }
        return nil
    }
}

extension ResponseBody {
    /// Returns the source of a part of the body.
    func source(_ range: Range<Int64>) -> any ByteStreamSource {
        switch self {
        case .bytes(let bytes): SlicedSource(ByteStream { OneChunkSource(bytes) }, range)
        case .stream(let stream): SlicedSource(stream, range)
        }
    }
}

private final class OneChunkSource: ByteStreamSource {
    // SAFETY: a ByteStream has one reader, which awaits each `next()` before the following one.
    private nonisolated(unsafe) var bytes: Bytes?

    init(_ bytes: Bytes) { self.bytes = bytes.isEmpty ? nil : bytes }

    func next() async -> Bytes? {
        defer { bytes = nil }
        return bytes
    }
}
