#if canImport(Darwin)
import Darwin
private let streamType = SOCK_STREAM
#elseif canImport(Musl)
import Musl
private let streamType = SOCK_STREAM
#else
import Glibc
private let streamType = Int32(SOCK_STREAM.rawValue)
#endif

/// An address of this machine on which connecting neither succeeds nor fails: the queue of its listener is full.
final class BlackHole: Sendable {
    private let sockets: [Int32]

    /// - Parameter isIPv6: `::1`, or else `127.0.0.2`, which only Linux has.
    init?(isIPv6: Bool, port: Int) {
        let family = isIPv6 ? AF_INET6 : AF_INET
        var sockets = [socket(family, streamType, 0)]
        guard sockets[0] >= 0, Self.call(isIPv6, port, { bind(sockets[0], $0, $1) }) == 0, listen(sockets[0], 0) == 0 else {
            _ = close(sockets[0])
            return nil
        }
        // Linux queues one more than the backlog; the others wait like the next peer.
        for _ in 0..<4 {
            let filler = socket(family, streamType, 0)
            _ = fcntl(filler, F_SETFL, O_NONBLOCK)
            _ = Self.call(isIPv6, port) { connect(filler, $0, $1) }
            sockets.append(filler)
        }
        self.sockets = sockets
    }

    deinit { for socket in sockets { _ = close(socket) } }

    private static func call(_ isIPv6: Bool, _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        if isIPv6 {
            var address = sockaddr_in6()
            (address.sin6_family, address.sin6_port) = (sa_family_t(AF_INET6), UInt16(port).bigEndian)
            withUnsafeMutableBytes(of: &address.sin6_addr) { $0[15] = 1 }
            return withUnsafePointer(to: &address) { place in
                place.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in6>.size)) }
            }
        }
        var address = sockaddr_in()
        (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), UInt16(port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7F00_0002).bigEndian
        return withUnsafePointer(to: &address) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}
