@_spi(TarmacRooms) import TarmacHTTP

/// A streamed body that gives its slot back when it or its call has ended, or when its last reference is gone.
final class SlotStream: PouringSource {
    private let source: any ByteStreamSource
    private let slot: StreamSlot

    private init(_ source: any ByteStreamSource, slot: StreamSlot) {
        self.source = source
        self.slot = slot
    }

    static func wrap(_ stream: ByteStream, slot: StreamSlot) -> ByteStream {
        ByteStream { SlotStream(stream.makeSource(), slot: slot) }
    }

    func next() async throws -> Bytes? {
        do {
            let chunk = try await source.next()
            if chunk == nil { slot.leave() }
            return chunk
        } catch {
            slot.leave()
            throw error
        }
    }

    func pour(into sink: @escaping @Sendable (Bytes) throws -> Void) async throws {
        defer { slot.leave() }
        try await source.pourAll(into: sink)
    }
}
