// The only file of the target that imports the C library.
#if canImport(Darwin)
import Darwin
private let streamType = SOCK_STREAM
private let noSignal: Int32 = 0
#elseif canImport(Musl)
import Musl
private let streamType = SOCK_STREAM
private let noSignal = Int32(MSG_NOSIGNAL)
#else
import Glibc
private let streamType = Int32(SOCK_STREAM.rawValue)
private let noSignal = Int32(MSG_NOSIGNAL)
#endif
@_spi(TarmacRooms) import TarmacCore

/// A non-blocking TCP socket on the loopback interface, by descriptor. Its creator closes it.
struct Socket: Hashable, Sendable {
    let descriptor: Int32

    /// The result of a read or write.
    enum Transferred: Equatable {
        case bytes(Int)
        case wouldBlock
        case end
        /// The peer reset the connection, or another error occurred.
        case failed
    }

    /// The operations that a connection waits for, or that are ready.
    struct Interest: OptionSet {
        let rawValue: Int
        static let read = Interest(rawValue: 1)
        static let write = Interest(rawValue: 2)
    }

    /// Returns a socket that listens on 127.0.0.1, on a port that the system chooses.
    static func listening(backlog: Int32) throws -> Socket {
        let socket = try bound()
        try socket.listen(backlog: backlog)
        return socket
    }

    /// Starts to listen on a bound socket.
    func listen(backlog: Int32) throws {
        guard callListen(descriptor, backlog) == 0 else { throw ServerFailure.system("listen") }
    }

    /// Returns a bound socket that does not listen: connections to it are refused.
    ///
    /// - Parameter port: The port of another socket of this process, or 0 for one that the system chooses.
    static func bound(port: Int = 0) throws -> Socket {
        let socket = try make()
        // Two sockets can share a port, so that it stays in use while the listening one is replaced.
        socket.set(SO_REUSEPORT, 1)
        var address = loopback(port: UInt16(port))
        let result = withAddress(&address) { bind(socket.descriptor, $0, $1) }
        guard result == 0 else {
            socket.close()
            throw ServerFailure.system("bind")
        }
        // Small buffers, so that the other end soon notices a reader or writer that stops.
        socket.set(SO_SNDBUF, 65_536)
        socket.set(SO_RCVBUF, 65_536)
        return socket
    }

    /// Returns a socket that connects to a port, without waiting for the result.
    static func connecting(to port: Int) throws -> Socket {
        let socket = try make()
        var address = loopback(port: UInt16(port))
        _ = withAddress(&address) { connect(socket.descriptor, $0, $1) }
        return socket
    }

    private static func make() throws -> Socket {
        let descriptor = socket(AF_INET, streamType, 0)
        guard descriptor >= 0 else { throw ServerFailure.system("socket") }
        return Socket(descriptor: descriptor).configured()
    }

    private func configured() -> Socket {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
        set(SO_NOSIGPIPE, 1)
        #endif
        return self
    }

    private func set(_ option: Int32, _ value: Int32) {
        var value = value
        _ = setsockopt(descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func withAddress<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    var port: Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    func accepted() -> Socket? {
        let accepted = accept(descriptor, nil, nil)
        guard accepted >= 0 else { return nil }
        let socket = Socket(descriptor: accepted).configured()
        // Single bytes and split heads must arrive as written.
        var on: Int32 = 1
        _ = setsockopt(accepted, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        return socket
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Transferred {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        return count == 0 ? .end : Self.outcome(count)
    }

    func write(_ buffer: UnsafeRawBufferPointer) -> Transferred {
        Self.outcome(send(descriptor, buffer.baseAddress, buffer.count, noSignal))
    }

    private static func outcome(_ count: Int) -> Transferred {
        if count >= 0 { return .bytes(count) }
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? .wouldBlock : .failed
    }

    func halfClose() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes a later close send RST instead of FIN.
    func armReset() {
        var setting = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &setting, socklen_t(MemoryLayout<linger>.size))
    }

    func close() { closeDescriptor(descriptor) }

    /// Waits at most `timeout` milliseconds for the descriptors, and returns those that are ready.
    static func poll(_ wanted: [(descriptor: Int32, interest: Interest)], timeout: Int32) -> [Int32: Interest] {
        var entries = wanted.map { item in
            pollfd(
                fd: item.descriptor,
                events: Int16((item.interest.contains(.read) ? POLLIN : 0) | (item.interest.contains(.write) ? POLLOUT : 0)),
                revents: 0)
        }
        guard callPoll(&entries, timeout) > 0 else { return [:] }
        var ready: [Int32: Interest] = [:]
        for entry in entries where entry.revents != 0 {
            // Errors and hang-ups make reads and writes return at once.
            let isBroken = Int32(entry.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0
            var interest: Interest = isBroken ? [.read, .write] : []
            if Int32(entry.revents) & POLLIN != 0 { interest.insert(.read) }
            if Int32(entry.revents) & POLLOUT != 0 { interest.insert(.write) }
            ready[entry.fd] = interest
        }
        return ready
    }
}

private func callListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }
private func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }
private func callPoll(_ entries: inout [pollfd], _ timeout: Int32) -> Int32 { poll(&entries, nfds_t(entries.count), timeout) }

/// A pipe whose reading end can be polled, to wake a thread that waits in `poll`.
///
/// After a close the system may reuse the descriptor's number, so nothing is written or closed afterwards.
final class WakePipe: Sendable {
    let reader: Int32
    private let writer: Int32
    private let isClosed = Locked(false)

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ServerFailure.system("pipe") }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (reader, writer) = (ends[0], ends[1])
    }

    func wake() {
        isClosed.withLock { isClosed in
            var byte: UInt8 = 1
            if !isClosed { _ = write(writer, &byte, 1) }
        }
    }

    func drain() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(reader, &bytes, bytes.count) == bytes.count {}
    }

    func close() {
        isClosed.withLock { isClosed in
            if isClosed { return }
            isClosed = true
            closeDescriptor(reader)
            closeDescriptor(writer)
        }
    }
}

/// A thread that can be joined.
struct WorkerThread: Sendable {
    private final class Start: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    // The thread is a number on glibc and a pointer elsewhere; a number is Sendable.
    private let thread: UInt

    init(_ body: @escaping @Sendable () -> Void) throws {
        let start = Unmanaged.passRetained(Start(body)).toOpaque()
        #if canImport(Glibc)
        var created = pthread_t()
        let result = pthread_create(
            &created, nil,
            {
                Self.run($0); return nil
            }, start)
        guard result == 0 else { throw ServerFailure.system("pthread_create") }
        thread = UInt(created)
        #else
        var created: pthread_t?
        let result = pthread_create(
            &created, nil,
            {
                Self.run($0); return nil
            }, start)
        guard result == 0, let created else { throw ServerFailure.system("pthread_create") }
        thread = UInt(bitPattern: created)
        #endif
    }

    private static func run(_ start: UnsafeMutableRawPointer?) {
        guard let start else { return }
        Unmanaged<Start>.fromOpaque(start).takeRetainedValue().body()
    }

    func join() {
        #if canImport(Glibc)
        pthread_join(pthread_t(thread), nil)
        #else
        if let thread = pthread_t(bitPattern: thread) { pthread_join(thread, nil) }
        #endif
    }
}

/// The failure to start a scripted server.
public struct ServerFailure: Error, CustomStringConvertible {
    public let description: String

    static func system(_ call: String) -> ServerFailure {
        ServerFailure(description: "\(call) failed: \(String(cString: strerror(errno)))")
    }
}
