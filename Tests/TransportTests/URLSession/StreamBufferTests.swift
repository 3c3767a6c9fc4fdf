import Foundation
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
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

    // A process that is killed removes nothing.
    @Test func whatIsReadHereAloneHasNoName() throws {
        let file = try TemporaryFile(isNamed: false)
        try [UInt8]("hello".utf8).withUnsafeBytes { try file.write($0, at: 0) }
        #expect(try file.read(5, at: 0) == Bytes("hello"))
        #expect(!FileManager.default.fileExists(atPath: file.path))
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

    private static func bytes(_ index: Int) -> [UInt8] { [UInt8](repeating: UInt8(index), count: 50_000) }

    // In memory, in the file, and on the way while the first ones go through.
    @Test func whatIsPouredComesInOrderAndAllOfIt() async throws {
        let closed = Locked(0), poured = Locked<[UInt8]>([])
        let buffer = StreamBuffer(brake: nil) { closed.withLock { $0 += 1 } }
        for index in 0..<10 { try buffer.append(Bytes(Self.bytes(index))) }
        async let all: Void = buffer.pour { chunk in poured.withLock { $0 += chunk.array } }
        for index in 10..<20 { try buffer.append(Bytes(Self.bytes(index))) }
        buffer.finish()
        try await all
        #expect(poured.withLock { $0 } == (0..<20).flatMap(Self.bytes))
        #expect(closed.withLock { $0 } == 1)
    }

    @Test func aBreakComesBehindWhatIsPoured() async throws {
        let poured = Locked(0)
        let buffer = StreamBuffer(brake: nil) {}
        for _ in 0..<4 { try buffer.append(Self.chunk) }
        buffer.finish(.failure(TarmacError(.connectionLost)))
        await #expect(throws: TarmacError.self) { try await buffer.pour { chunk in poured.withLock { $0 += chunk.count } } }
        #expect(poured.withLock { $0 } == 400_000)
    }

    @Test func aSinkThatThrowsEndsTheExchange() async throws {
        let closed = Locked(0)
        let buffer = StreamBuffer(brake: nil) { closed.withLock { $0 += 1 } }
        try buffer.append(Self.chunk)
        await #expect(throws: TarmacError.self) { try await buffer.pour { _ in throw TarmacError(.unwritableFile) } }
        #expect(closed.withLock { $0 } == 1)
    }

    // What goes on with the file must find it at rest.
    @Test(arguments: [true, false])
    func pouringEndsWhenTheSinkHasReturned(fails: Bool) async throws {
        let steps = Locked<[String]>([])
        let buffer = StreamBuffer(brake: nil) {}
        for _ in 0..<2 { try buffer.append(Self.chunk) }
        await #expect(throws: (any Error).self) {
            defer { steps.withLock { $0.append("over") } }
            try await buffer.pour { _ in
                if fails { buffer.fail(TarmacError(.timeout)) } else { buffer.close() }
                steps.withLock { $0.append("poured") }
            }
        }
        #expect(steps.withLock { $0 } == ["poured", "over"])
    }

    // What is poured waits for nobody: neither in memory nor in a file is anything that a kill would take.
    @Test func theSessionItselfPoursWhatComes() async throws {
        let poured = Locked(0)
        try await withCheckedThrowingContinuation { continuation in
            var state = StreamBufferState(spills: true, highWater: 100)
            var isIdle = if case .wait = state.pour(.init(sink: { _ in }, continuation: continuation)) { true } else { false }
            for _ in 0..<5 where isIdle {
                guard case .pours? = try? state.append(Self.chunk) else { break }
                poured.withLock { $0 += 1 }
                isIdle = if case .wait = state.poured(.success(())) { true } else { false }
            }
            if let waiter = state.finish(.success(())) { waiter.end(with: .success(())) } else { continuation.resume() }
        }
        #expect(poured.withLock { $0 } == 5)
    }

    @Test func cancellingEndsThePouring() async throws {
        let buffer = StreamBuffer(brake: nil) {}, begun = Watched(false)
        let task = Task { try await buffer.pour { _ in begun.update { $0 = true } } }
        try buffer.append(Self.chunk)
        try await begun.wait { $0 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
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
