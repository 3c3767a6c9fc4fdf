import Foundation
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A connection to a port of this machine, byte by byte.
enum RawConnection {
    /// Sends a text, and returns everything that comes until the server closes the connection.
    static func exchange(_ text: String, port: UInt16) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try received(text, port) }) }
        }
    }

    private static func received(_ text: String, _ port: UInt16) throws -> String {
        let descriptor = try connected(port)
        defer { _ = close(descriptor) }
        let bytes = Array(text.utf8)
        guard send(descriptor, bytes, bytes.count, 0) == bytes.count else { throw POSIXError(.EIO) }
        var all: [UInt8] = [], buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            // A server that keeps the connection ends the test by this limit, and not by hanging.
            if count < 0 { throw POSIXError(.ETIMEDOUT) }
            if count == 0 { return String(decoding: all, as: UTF8.self) }
            all += buffer[..<count]
        }
    }

    /// Ends a connection of ``connected(_:)``.
    static func end(_ descriptor: Int32) { _ = close(descriptor) }

    /// Opens a connection and sends nothing.
    static func connected(_ port: UInt16) throws -> Int32 {
        #if canImport(Darwin)
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 }
        }
        guard isConnected else { throw POSIXError(.ECONNREFUSED) }
        return descriptor
    }
}
