import TarmacCore

/// Stored bytes that may be replaced or removed while they are read. Where that ends the reading, it goes on with the same
/// bytes of another entry.
final class StoredSource: ByteStreamSource {
    // SAFETY: a ByteStream has one reader, which awaits each `next()` before the following one.
    private nonisolated(unsafe) var source: any ByteStreamSource
    /// The bytes of the whole body that are still to be read.
    private nonisolated(unsafe) var rest: Range<Int64>
    private let other: @Sendable (Range<Int64>) async -> (any ByteStreamSource)?

    /// - Parameters:
    ///   - rest: the place of the bytes in the whole body.
    ///   - other: returns the given bytes of the whole body from another entry, or `nil` if there is none.
    init(_ source: any ByteStreamSource, _ rest: Range<Int64>, other: @escaping @Sendable (Range<Int64>) async -> (any ByteStreamSource)?) {
        self.source = source
        self.rest = rest
        self.other = other
    }

    func next() async throws -> Bytes? {
        do { return read(try await source.next()) } catch {
            guard !(error is CancellationError), !rest.isEmpty, let source = await other(rest) else { throw error }
            self.source = source
            return read(try await source.next())
        }
    }

    private func read(_ chunk: Bytes?) -> Bytes? {
        if let chunk { rest = min(rest.upperBound, rest.lowerBound + Int64(chunk.count))..<rest.upperBound }
        return chunk
    }
}
