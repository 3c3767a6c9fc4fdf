import Foundation
import Tarmac
@testable import TarmacURLSession
import Testing

@Suite struct StreamBufferTests {
    final class CountingBrake: Brake {
        let held = Locked((holds: 0, releases: 0))
        func hold() { held.withLock { $0.holds += 1 } }
        func release() { held.withLock { $0.releases += 1 } }
    }

    static let chunk = Bytes([UInt8](repeating: 7, count: 100_000))

    @Test func sessionIsHeldAboveTheHighWaterAndReleasedBelowHalf() async throws {
        let brake = CountingBrake()
        let buffer = StreamBuffer(brake: brake) {}
        for _ in 0..<4 { try buffer.append(Self.chunk) }
        #expect(brake.held.withLock { $0 } == (1, 0))
        _ = try await buffer.next()
        _ = try await buffer.next()
        #expect(brake.held.withLock { $0 } == (1, 0))
        _ = try await buffer.next()
        #expect(brake.held.withLock { $0 } == (1, 1))
    }

    @Test func leavingReaderReleasesTheSession() throws {
        let brake = CountingBrake(), closed = Locked(0)
        let buffer = StreamBuffer(brake: brake) { closed.withLock { $0 += 1 } }
        for _ in 0..<4 { try buffer.append(Self.chunk) }
        buffer.close()
        buffer.close()
        #expect(brake.held.withLock { $0 } == (1, 1))
        #expect(closed.withLock { $0 } == 1)
    }

    @Test func whatIsTooMuchForMemoryComesBackInOrder() async throws {
        let buffer = StreamBuffer(brake: nil) {}
        for index in 0..<20 { try buffer.append(Bytes([UInt8](repeating: UInt8(index), count: 50_000))) }
        buffer.finish()
        var all: [UInt8] = []
        while let chunk = try await buffer.next() { all += chunk.array }
        #expect(all == (0..<20).flatMap { [UInt8](repeating: UInt8($0), count: 50_000) })
    }

    @Test func errorOvertakesWhatIsBuffered() async throws {
        let buffer = StreamBuffer(brake: nil) {}
        try buffer.append(Self.chunk)
        buffer.finish()
        buffer.fail(TarmacError(.timeout))
        await #expect(throws: TarmacError.self) { try await buffer.next() }
    }

    // What a connection brought before it broke off is what a download goes on behind.
    @Test func aBreakComesAfterTheLastChunk() async throws {
        let buffer = StreamBuffer(brake: nil) {}
        try buffer.append(Self.chunk)
        buffer.finish(.failure(TarmacError(.connectionLost)))
        #expect(try await buffer.next()?.count == 100_000)
        await #expect(throws: TarmacError.self) { try await buffer.next() }
    }

    @Test func endComesAfterTheLastChunk() async throws {
        let closed = Locked(0)
        let buffer = StreamBuffer(brake: nil) { closed.withLock { $0 += 1 } }
        try buffer.append(Self.chunk)
        buffer.finish()
        #expect(try await buffer.next()?.count == 100_000)
        #expect(closed.withLock { $0 } == 0)
        #expect(try await buffer.next() == nil)
        #expect(closed.withLock { $0 } == 1)
    }
}
