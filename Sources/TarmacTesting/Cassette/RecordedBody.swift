@_spi(TarmacRooms) import TarmacCore

/// The part of a body that has been read.
final class RecordedBody: Sendable {
    let head: Response
    let request: Request
    private let read = Locked([UInt8]())

    init(head: Response, request: Request) {
        self.head = head
        self.request = request
    }

    var bytes: Bytes { Bytes(read.withLock { $0 }) }

    /// Appends a chunk; returns the number of bytes so far.
    func append(_ chunk: Bytes) -> Int {
        read.withLock { read in
            chunk.withUnsafeBytes { read.append(contentsOf: $0) }
            return read.count
        }
    }
}

/// A body that is recorded while it is read.
final class RecordedSource: ByteStreamSource {
    // SAFETY: a ByteStream has one reader, which awaits each `next()` before the following one.
    private nonisolated(unsafe) var iterator: ByteStream.Iterator
    private let isDone = Locked(false)
    private let body: RecordedBody
    private let place: Int
    private let recorder: CassetteRecorder

    init(_ stream: ByteStream, _ body: RecordedBody, place: Int, recorder: CassetteRecorder) {
        iterator = stream.makeAsyncIterator()
        self.body = body
        self.place = place
        self.recorder = recorder
    }

    deinit { try? end(CancellationError()) }

    func next() async throws -> Bytes? {
        do {
            guard let chunk = try await iterator.next() else {
                try end(nil)
                return nil
            }
            try recorder.check(body.append(chunk), of: "response")
            return chunk
        } catch {
            try? end(error)
            throw error
        }
    }

    /// Records the bytes read, unless there are too many. Only the first end counts.
    private func end(_ failure: (any Error)?) throws {
        let isFirst = isDone.withLock { isDone in
            defer { isDone = true }
            return !isDone
        }
        guard isFirst else { return }
        do { try recorder.record(body.head, body: body.bytes, to: body.request, at: place, failure: failure) } catch {
            try recorder.record(body.head, body: .empty, to: body.request, at: place, failure: failure ?? error)
            throw error
        }
    }
}
