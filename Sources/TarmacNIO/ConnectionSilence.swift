#if NIO
import NIOCore

/// The time in which a connection over HTTP/2 has answered no request (pure). Its server may answer PING all the same.
struct ConnectionSilence {
    private static let limit = TimeAmount.seconds(5)
    /// The first request since the last answer that was given up.
    private var start: NIODeadline?

    /// Notes that a request was given up. Returns whether the next one should have another connection: two were, 5 s apart, and none was
    /// answered between.
    mutating func giveUp(at now: NIODeadline) -> Bool {
        guard let start else {
            self.start = now
            return false
        }
        return now - start >= Self.limit
    }

    /// Notes a part of an answer.
    mutating func end() { start = nil }
}
#endif
