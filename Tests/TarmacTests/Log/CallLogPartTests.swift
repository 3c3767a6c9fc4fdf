import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCallLog
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacResumableUpload
import TarmacStreams
@testable import TarmacTransfer

/// Calls that pass the log more than once, and calls whose end is no event.
@Suite("Call log, calls of several parts", .timeLimit(.minutes(5)))
struct CallLogPartTests {
    private let log = CallLog(bodies: .first(.kib(4)))
    private static let impatient = ResumeRule.automatic { $0.base = .zero }

    // MARK: Streams and transfers

    @Test func aStreamThatReconnectsIsOneCall() async throws {
        let time = ManualTime(), recorder = EventRecorder()
        let stub = Answers({ .events("id: 1\ndata: a\n\n") }, { .events("data: b\n\n") }, { .status(.noContent) }).stub
        let client = Client(transport: .stub(stub), services: [.logged], time: time, randomness: SeededGenerator(seed: 1)) {
            ($0.timeout, $0.connectTimeout, $0.idleTimeout) = (.unlimited, .unlimited, .unlimited)
            $0.observers = [recorder]
            $0.log = log
        }
        async let events = client.events(.get("/")).collected()
        for number in 1...2 {
            await eventually { recorder.names.filter { $0 == "reconnecting" }.count >= number }
            let flying = try #require(log.entries.last)
            #expect(flying.state == .flying && log.entries.count == 1)
            try await time.hasSleepers()
            time.advance(by: .seconds(60))
        }
        #expect(try await events.map(\.data) == ["a", "b"])
        let entry = try #require(log.entries.last)
        #expect(log.entries.count == 1 && entry.state == .landed && entry.attempts.map(\.response?.status) == [200, 200, 204])
        #expect(entry.attempts.map(\.reason) == [nil, "reconnect: end of stream", "reconnect: end of stream"])
        #expect(entry.events.map(\.kind) == [.reconnect, .reconnect])
    }

    @Test func aDownloadThatResumesIsOneCall() async throws {
        let bytes = noise(20_000), file = StubFile(bytes), stub = StubTransport { file.answer($0) }
        file.breakOff(after: [3_000, 4_000])
        try await withFolder { folder in
            try await Client(stub) { ($0.resume, $0.log) = (Self.impatient, log) }.send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == bytes)
        }
        #expect(log.entries.map(\.state) == [.landed] && log.entries.last?.attempts.count == 3 && stub.requests.count == 3)
    }

    @Test func rangesSideBySideAreOneCall() async throws {
        let bytes = noise(50_000), file = StubFile(bytes), stub = StubTransport { file.answer($0) }
        let four = DownloadRule { ($0.parallelRanges, $0.minimumRange) = (4, 1000) }
        try await withFolder { folder in
            try await Client(stub) { ($0.download, $0.log) = (four, log) }.send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == bytes)
        }
        #expect(log.entries.map(\.state) == [.landed] && log.entries.last?.attempts.count == stub.requests.count && stub.requests.count == 5)
    }

    @Test func aResumableUploadIsOneCall() async throws {
        let bytes = noise(50_000), server = StubUploads(), stub = StubTransport { try server.answer($0) }
        server.breakOff(after: [20_000])
        try await withFolder { folder in
            try Data(bytes).write(to: URL(filePath: "\(folder)/f.png"))
            let client = Client(stub) { ($0.resume, $0.log) = (Self.impatient, log) }
            _ = try await client.send(Upload(.file("\(folder)/f.png"), to: .post("/files"), by: .tus))
        }
        let entry = try #require(log.entries.last)
        #expect(log.entries.count == 1 && entry.state == .landed && entry.request?.method == "POST")
        #expect(entry.attempts.map(\.request.method) == ["POST", "PATCH", "HEAD", "PATCH"] && stub.requests.count == 4)
    }

    // MARK: Interceptors above

    @Test(arguments: ["/down", "/missing"]) func aCallFromWhichAnInterceptorRecoversHasEnded(path: String) async throws {
        let rig = LogRig()
        let recovering = Intercepting { request, chain in
            let response = try? await chain.proceed(request)
            return response?.status == .ok ? .status(.badGateway) : .text("another answer")
        }
        try await rig.get(path) { ($0.interceptors, $0.retry) = ([recovering], .never) }
        let entry = try #require(rig.log.entries.last)
        #expect(rig.log.entries.count == 1 && entry.state == .failed && entry.duration != nil)
        #expect(entry.failure?.code == (path == "/down" ? "connectionRefused" : "unacceptableStatus"))
        await rig.client.shutdown()
    }

    @Test func aCallThatAnInterceptorRepeatsIsOneCall() async throws {
        let rig = LogRig()
        let repeating = Intercepting { request, chain in
            do { return try await chain.proceed(request) } catch { return try await chain.proceed(try Request(.get, "https://api.example.com/n")) }
        }
        let twice = Intercepting { request, chain in
            _ = try await chain.proceed(request)
            return try await chain.proceed(request)
        }
        try await rig.get("/down") { ($0.interceptors, $0.retry) = ([repeating], .never) }
        try await rig.get("/n") { $0.interceptors = [twice] }
        #expect(rig.log.entries.map(\.state) == [.landed, .landed] && rig.log.entries.allSatisfy { $0.failure == nil })
        #expect(rig.log.entries.map { $0.attempts.map(\.response?.status) } == [[nil, 200], [200, 200]])
        await rig.client.shutdown()
    }

    @Test func theEndThatAnEventTellsIsTheLast() async throws {
        let rig = LogRig()
        let failing = Intercepting { request, chain in
            _ = try await chain.proceed(request)
            throw TarmacError(.connectionLost, phase: .receiving, "thrown above the log")
        }
        await #expect(throws: TarmacError.self) { try await rig.get("/n") { $0.interceptors = [failing] } }
        let entry = try #require(rig.log.entries.last)
        #expect(entry.state == .failed && entry.failure?.code == "connectionLost" && entry.status == 200)
        await rig.client.shutdown()
    }

    // MARK: Bodies

    @Test func aStreamOfUnknownSizeIsABodyThatTheLogDoesNotHave() async throws {
        let rig = LogRig(CallLog())
        try await rig.client.post("/n", body: .stream(ByteStream { OneChunk() }, contentType: "text/plain"))
        try await rig.get("/n")
        let sent = rig.log.entries.map { $0.request?.body }
        #expect(sent[0]?.isTruncated == true && sent[0]?.size == nil && sent[0]?.text == nil && sent[1] == nil)
        await rig.client.shutdown()
    }

    private final class OneChunk: ByteStreamSource {
        private let isOver = Watched(false)
        func next() async throws -> Bytes? {
            isOver.update { isOver in
                defer { isOver = true }
                return isOver ? nil : Bytes("hello")
            }
        }
    }
}
