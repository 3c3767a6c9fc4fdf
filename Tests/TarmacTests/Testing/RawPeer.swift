import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacTesting

/// The other end of a scripted server, byte by byte.
final class RawPeer: Sendable {
    private let socket: Socket
    private let isClosed = Locked(false)

    convenience init(_ server: ScriptedServer) throws { try self.init(port: server.port) }

    init(port: Int) throws { socket = try Socket.connecting(to: port) }

    deinit { close() }

    private func close() {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        if isFirst { socket.close() }
    }

    func send(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            _ = Socket.poll([(socket.descriptor, .write)], timeout: 5000)
            guard case .bytes(let count) = rest.withUnsafeBytes({ socket.write($0) }) else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads that many bytes, or all there is until the end; says `!` when the connection was reset.
    func read(_ count: Int = .max) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < count {
            _ = Socket.poll([(socket.descriptor, .read)], timeout: 5000)
            let result = buffer.withUnsafeMutableBytes {
                socket.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[..<min($0.count, count - bytes.count)]))
            }
            switch result {
            case .bytes(let read): bytes += buffer[..<read]
            case .end: return String(decoding: bytes, as: UTF8.self)
            case .failed: return String(decoding: bytes, as: UTF8.self) + "!"
            case .wouldBlock: return String(decoding: bytes, as: UTF8.self) + " and then nothing"
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func reset() {
        socket.armReset()
        close()
    }
}
