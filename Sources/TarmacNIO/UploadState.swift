#if NIO
import NIOHTTP1

/// The progress of the request body on a connection.
struct UploadState {
    /// Chunks are accepted until this many bytes wait to be sent.
    static let high = 1 << 20

    /// Whether the body has not ended yet.
    private(set) var isActive = false
    private var pending = 0
    /// The number of bytes that were sent.
    private(set) var progress = 0
    private var room: UnsafeContinuation<Void, any Error>?
    /// The end of a response that was complete before the request body. It is passed on when the body ends.
    private(set) var heldEnd: HTTPClientResponsePart?

    /// How much of the announced length was not sent yet. `nil` if no length is known.
    private var unsent: Int64?
    private var isEndReported = false

    mutating func begin(length: Int64?) {
        isActive = true
        unsent = length
        isEndReported = false
    }

    /// Whether bytes wait for the server.
    var isHeldBack: Bool { pending > 0 }

    /// Whether the announced length was sent.
    var isSent: Bool { unsent == 0 }

    mutating func wrote(_ bytes: Int) { pending += bytes }

    mutating func wrote(_ bytes: Int, waiting continuation: UnsafeContinuation<Void, any Error>) {
        pending += bytes
        if pending > Self.high { room = continuation } else { continuation.resume() }
    }

    mutating func sent(_ bytes: Int) {
        pending -= bytes
        progress &+= bytes
        unsent? -= Int64(bytes)
        guard pending <= Self.high / 2 else { return }
        room?.resume()
        room = nil
    }

    /// Returns `true` once, when the request is sent: its last announced byte has gone, or its body has ended.
    mutating func reportsEnd(atEnd: Bool = false) -> Bool {
        guard !isEndReported, atEnd || unsent == 0 else { return false }
        isEndReported = true
        return true
    }

    /// Ends the body. Some of it may not be sent yet.
    mutating func close() { isActive = false }

    mutating func hold(_ end: HTTPClientResponsePart) { heldEnd = end }

    mutating func finish() -> HTTPClientResponsePart? {
        isActive = false
        defer { heldEnd = nil }
        return heldEnd
    }

    /// Accepts no more of the body.
    mutating func stop() {
        isActive = false
        room?.resume(throwing: UploadStopped())
        room = nil
    }
}

/// The connection accepts no more of the request body. The exchange knows the reason or does not need it.
struct UploadStopped: Error {}
#endif
