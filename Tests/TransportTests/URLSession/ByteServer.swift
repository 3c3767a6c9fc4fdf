import Foundation
import Tarmac
@_spi(TarmacRooms) import TarmacCore
#if canImport(CNIOLinux)
import CNIOLinux
#endif
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif
// Where NIO is in the same target, the compiler sees the socket addresses as its.
#if canImport(CNIOLinux)
import CNIOLinux
#endif

/// A server on a free loopback port that does with each connection what a test says, byte by byte. It serves until
/// it is released.
final class ByteServer: Sendable {
    let port: UInt16
    private let listener: Int32
    private let isOpen = Locked(true)
    private let connections = Locked(0)

    init(_ handle: @escaping @Sendable (ByteConnection) -> Void) throws {
        let listener = try Self.listen()
        self.listener = listener
        port = Self.port(of: listener)
        Thread.detachNewThread { [connections, isOpen] in
            while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
                let index = connections.withLock { count in
                    defer { count += 1 }
                    return count
                }
                Thread.detachNewThread {
                    let connection = ByteConnection(descriptor, index: index)
                    handle(connection)
                    connection.close()
                }
            }
            isOpen.withLock {
                $0 = false
                closeDescriptor(listener)
            }
        }
    }

    // The thread that waits for connections wakes and closes it.
    deinit { isOpen.withLock { if $0 { endListening(listener, shutdownBoth) } } }

    /// A URL whose port is taken and refuses connections.
    static func refusingURL() throws -> HTTPURL { try HTTPURL("http://127.0.0.1:\(port(of: bound()))/") }

    /// Answers every request on every connection alike.
    static func answering(_ response: String) throws -> ByteServer {
        try ByteServer { connection in
            while connection.readRequest() != nil { connection.write(response) }
        }
    }

    /// Answers the first request of each connection and closes it.
    static func answeringOnce(_ response: String) throws -> ByteServer {
        try ByteServer { connection in
            if connection.readRequest() != nil { connection.write(response) }
        }
    }

    func url(_ path: String = "/") throws -> HTTPURL { try HTTPURL("http://127.0.0.1:\(port)\(path)") }

    /// How many connections came in.
    var connectionCount: Int { connections.withLock { $0 } }

    private static func listen() throws -> Int32 {
        let descriptor = try bound()
        guard startListening(descriptor, 128) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        return descriptor
    }

    private static func bound() throws -> Int32 {
        #if canImport(Darwin)
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        return descriptor
    }

    private static func port(of descriptor: Int32) -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return UInt16(bigEndian: address.sin_port)
    }
}

// The classes have methods of these names.
private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
private func endListening(_ descriptor: Int32, _ how: Int32) { _ = shutdown(descriptor, how) }
private func startListening(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }

/// One accepted connection, used by its own thread.
final class ByteConnection {
    struct Request: Sendable {
        let head: String
        let body: [UInt8]
        func field(_ name: String) -> String? {
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
                .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
        }
    }

    let index: Int
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var isReset = false

    init(_ descriptor: Int32, index: Int) {
        self.descriptor = descriptor
        self.index = index
    }

    /// The next request with its body, read by its length or in chunked coding; `nil` at the end of the connection.
    func readRequest() -> Request? {
        guard let head = readHead() else { return nil }
        let request = Request(head: head, body: [])
        if request.field("Transfer-Encoding") == "chunked" { return readChunks().map { Request(head: head, body: $0) } }
        return read(Int(request.field("Content-Length") ?? "0") ?? 0).map { Request(head: head, body: $0) }
    }

    func readHead() -> String? {
        readThrough("\r\n\r\n").map { String(decoding: $0, as: UTF8.self) }
    }

    private func readChunks() -> [UInt8]? {
        var body: [UInt8] = []
        while let line = readThrough("\r\n") {
            let size = Int(String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines), radix: 16)
            guard let size, let chunk = read(size), readThrough("\r\n") != nil else { return nil }
            if size == 0 { return body }
            body += chunk
        }
        return nil
    }

    private func readThrough(_ mark: String) -> [UInt8]? {
        let mark = Array(mark.utf8)
        while true {
            if buffer.count >= mark.count {
                for end in mark.count...buffer.count where buffer[(end - mark.count)..<end].elementsEqual(mark) {
                    defer { buffer.removeFirst(end) }
                    return Array(buffer[..<end])
                }
            }
            guard fill() else { return nil }
        }
    }

    func read(_ count: Int) -> [UInt8]? {
        while buffer.count < count { guard fill() else { return nil } }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    private func fill() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { return false }
        buffer += chunk[..<count]
        return true
    }

    @discardableResult
    func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, noSignal) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Returns when the client has closed its side.
    func waitForEnd() { while fill() { buffer.removeAll() } }

    /// Drops the connection with a reset.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        isReset = true
    }

    func close() {
        if !isReset { shutdown(descriptor, shutdownBoth) }
        closeDescriptor(descriptor)
    }
}

#if canImport(CNIOLinux)
import CNIOLinux
#endif
#if canImport(Darwin)
private let noSignal: Int32 = 0
private let shutdownBoth = SHUT_RDWR
#else
private let noSignal = Int32(MSG_NOSIGNAL)
private let shutdownBoth = Int32(SHUT_RDWR)
#endif
