import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacStreams

/// A streamed body ends its attempt once, however its reader leaves it.
@Suite("Ends of streamed attempts", .timeLimit(.minutes(5)))
struct AttemptStreamTests {
    private let recorder = EventRecorder()

    private func client(_ response: @escaping @Sendable () -> Response) -> Client {
        Client(StubTransport { _ in response() }) { $0.observers = [recorder] }
    }

    private func count(_ name: String) -> Int { recorder.names.filter { $0 == name }.count }

    private final class Failing: ByteStreamSource {
        func next() async throws -> Bytes? { throw TarmacError(.connectionLost, phase: .receiving, "the test broke it") }
    }

    @Test func aBodyThatIsLeftEarlyHasItsTimings() async throws {
        let client = client { .chunks(["one", "two", "three"]) }
        try await client.stream(.get("/", as: Void.self)) { response in
            for try await _ in response.body { break }
        }
        await eventually { count("attemptTimed") == 1 }
        #expect(count("attemptEnded") == 0)
        await client.shutdown()
    }

    @Test func aBodyThatNobodyReadsHasItsTimings() async throws {
        let client = client { .chunks(["one", "two", "three"]) }
        try await client.stream(.get("/", as: Void.self)) { _ in }
        await eventually { count("attemptTimed") == 1 }
        #expect(count("attemptEnded") == 0)
        await client.shutdown()
    }

    @Test func readingOnAfterTheEndEndsNothingAgain() async throws {
        let client = client { .chunks(["one"]) }
        try await client.stream(.get("/", as: Void.self)) { response in
            var iterator = response.body.makeAsyncIterator()
            for _ in 0..<4 { _ = try await iterator.next() }
        }
        await client.shutdown()
        #expect(count("attemptTimed") == 1 && count("attemptEnded") == 1)
    }

    @Test func readingOnAfterAFailureEndsNothingAgain() async throws {
        let client = client { .stream(ByteStream { Failing() }) }
        try await client.stream(.get("/", as: Void.self)) { response in
            var iterator = response.body.makeAsyncIterator()
            for _ in 0..<3 { _ = try? await iterator.next() }
        }
        await client.shutdown()
        #expect(count("attemptTimed") == 1 && count("attemptEnded") == 0)
    }
}
