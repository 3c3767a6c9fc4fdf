#if NIO
import NIOHTTP1

/// How far the body of the request on a connection has come.
struct UploadState {
    /// Chunks are taken until this many bytes wait to be sent.
    static let high = 1 << 20

    /// The body has not ended yet.
    private(set) var isActive = false
    private var pending = 0
    private var room: UnsafeContinuation<Void, any Error>?
    /// The response that was complete before the body was: it is passed on when the body ends.
    private(set) var heldEnd: HTTPClientResponsePart?

    mutating func begin() { isActive = true }

    mutating func wrote(_ bytes: Int, waiting continuation: UnsafeContinuation<Void, any Error>) {
        pending += bytes
        if pending > Self.high { room = continuation } else { continuation.resume() }
    }

    mutating func sent(_ bytes: Int) {
        pending -= bytes
        guard pending <= Self.high / 2 else { return }
        room?.resume()
        room = nil
    }

    mutating func hold(_ end: HTTPClientResponsePart) { heldEnd = end }

    mutating func finish() -> HTTPClientResponsePart? {
        isActive = false
        defer { heldEnd = nil }
        return heldEnd
    }

    /// No more of the body is wanted.
    mutating func stop() {
        isActive = false
        room?.resume(throwing: UploadStopped())
        room = nil
    }
}

/// The connection takes no more of the request's body; the exchange knows why, or does not mind.
struct UploadStopped: Error {}
#endif
