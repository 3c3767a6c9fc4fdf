#if NIO
package import NIOHTTP2

/// Decides when AsyncHTTPClient sees a new limit of streams (pure).
///
/// Its pool starts the idle timer of a connection without streams once more for each new limit, which ends the process
/// where assertions are compiled in. Such a limit waits for the next stream.
package struct StreamLimit {
    private var streams = 0
    /// Whether the pool opens no stream, because the last limit that it knows is 0.
    private var isShut = false
    private var held: HTTP2Setting?

    package init() {}
    package var isIdle: Bool { streams == 0 }

    /// Takes the limit out of settings that must not show it now. Returns `nil` if no stream would come to show it, so that the
    /// connection is of no use.
    ///
    /// - Parameters:
    ///   - isUsed: whether the connection has carried a request.
    ///   - isAwaited: whether a request waits. Before the first one, it waits for this connection, or it was given up: then the pool counts
    ///     the idle time already, and may hold a limit of 0 that nothing would raise.
    package mutating func take(from settings: HTTP2Settings, isUsed: Bool, isAwaited: Bool) -> HTTP2Settings? {
        guard let limit = settings.last(where: { $0.parameter == .maxConcurrentStreams }) else { return settings }
        if streams > 0 || !isUsed && isAwaited {
            (isShut, held) = (limit.value == 0, nil)
            return settings
        }
        if limit.value == 0 || isShut || !isUsed { return nil }
        held = limit
        return settings.filter { $0.parameter != .maxConcurrentStreams }
    }

    package mutating func closeStream() { streams = max(0, streams - 1) }

    /// Notes that a stream was opened. Returns whether a limit waited for it.
    package mutating func openStream() -> Bool {
        streams += 1
        return held != nil
    }

    /// Returns the limit that waits, if a stream is open.
    package mutating func release() -> HTTP2Setting? {
        guard streams > 0 else { return nil }
        defer { held = nil }
        return held
    }
}
#endif
