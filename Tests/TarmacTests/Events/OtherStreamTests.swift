import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
import TarmacStreams
@_spi(TarmacRooms) @testable import TarmacHTTP

/// A response of another type than the stream that was asked for.
@Suite("Responses that are no such stream", .timeLimit(.minutes(5)))
struct OtherStreamTests {
    private final class Silent: ByteStreamSource {
        let isRead: Watched<Bool>
        init(_ isRead: Watched<Bool>) { self.isRead = isRead }
        func next() async throws -> Bytes? {
            isRead.update { $0 = true }
            try await Watched(false).wait { $0 }
            return nil
        }
    }

    /// Without an `idleTimeout` too.
    @Test func oneWithoutBytesEndsAtTheTimeLimit() async throws {
        let time = ManualTime(), isRead = Watched(false), code = Watched<TarmacError.Code?>(nil)
        let stub = StubTransport { _ in
            Response(
                status: .ok,
                headers: [.contentType: "text/plain"], body: .stream(ByteStream { Silent(isRead) }), url: try HTTPURL("https://s.example/"))
        }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: time) {
            ($0.timeout, $0.idleTimeout, $0.connectTimeout) = (.seconds(2), .unlimited, .unlimited)
        }
        let reading = Task {
            do { for try await _ in client.events(.get("/")) {} } catch { code.update { $0 = (error as? TarmacError)?.code } }
        }
        try await isRead.wait { $0 }
        await eventually {
            time.advance(by: .seconds(2))
            return code.value != nil
        }
        await reading.value
        #expect(code.value == .unacceptableContentType)
        await client.shutdown()
    }
}
