// Only this file names the C library. The rest of the target uses these declarations.
#if Redis && canImport(Glibc)
import Glibc

/// A pipe that wakes a thread in ``wait(for:writable:atMost:)``. It is closed with its last reference.
final class WakePipe: Sendable {
    private let reader, writer: Int32

    /// Returns `nil` if the process has no descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        (reader, writer) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    /// Wakes the thread now, or when it waits next.
    func wake() { _ = write(writer, [1], 1) }

    /// Waits until a socket is ready, until the pipe was written to, or for a time. Returns whether the socket can be read or has ended.
    ///
    /// - Parameters:
    ///   - socket: the descriptor, or `nil` for none.
    ///   - writable: whether to return as well when the socket can be written.
    ///   - milliseconds: the time limit. `nil` for none.
    func wait(for socket: Int32?, writable: Bool, atMost milliseconds: Int32?) -> Bool {
        var places = [pollfd(fd: reader, events: Int16(POLLIN), revents: 0)]
        if let socket { places.append(pollfd(fd: socket, events: Int16(POLLIN | (writable ? POLLOUT : 0)), revents: 0)) }
        guard poll(&places, nfds_t(places.count), milliseconds ?? -1) > 0 else { return false }
        if places[0].revents != 0 {
            var drain = [UInt8](repeating: 0, count: 64)
            while read(reader, &drain, drain.count) == drain.count {}
        }
        return places.count > 1 && places[1].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0
    }

    deinit {
        close(reader)
        close(writer)
    }
}

/// Threads for work that blocks.
enum WorkerThread {
    private final class Start: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on a thread of its own, on which a closed socket raises no signal. Returns `false` if the system has no thread left.
    static func run(_ body: @escaping @Sendable () -> Void) -> Bool {
        let start = Unmanaged.passRetained(Start(body)).toOpaque()
        var thread = pthread_t()
        let result = pthread_create(&thread, nil, { Self.begin($0) }, start)
        guard result == 0 else {
            Unmanaged<Start>.fromOpaque(start).release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private static func begin(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        // hiredis writes to its socket without MSG_NOSIGNAL.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        guard let start else { return nil }
        Unmanaged<Start>.fromOpaque(start).takeRetainedValue().body()
        return nil
    }
}
#endif
