import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCache
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience
import TarmacResumableUpload
import TarmacTraffic
@testable import TarmacTransfer

/// Settings for other calls leave a resumable upload alone: its bytes are the file's, and every answer is its own.
@Suite("Settings and resumable uploads", .timeLimit(.minutes(5)))
struct UploadSettingTests {
    static let protocols: [UploadProtocol] = [.tus, .ietf, .tus { $0.checksum = .sha1 }]
    private static let impatient = ResumeRule.automatic { $0.base = .zero }

    private func stub(_ server: StubUploads) -> StubTransport { StubTransport { try server.answer($0) } }

    @Test(arguments: protocols)
    func theBytesGoOutAsTheyAre(settings: UploadProtocol) async throws {
        let bytes = Array(String(repeating: "tarmac ", count: 10_000).utf8), server = StubUploads(), stub = self.stub(server)
        server.breakOff(after: [20_000])
        let client = Client(stub) {
            $0.requestCompression = .gzip
            $0.resume = Self.impatient
        }
        _ = try await client.send(Upload(.data(Data(bytes), name: "f.txt"), to: .post("/files"), by: settings)) {
            $0.requestCompression = .gzip(minimumSize: 0)
        }
        #expect(server.uploads["/uploads/1"]?.bytes == bytes)
        #expect(stub.requests.allSatisfy { !$0.headers.contains(.contentEncoding) })
    }

    @Test(arguments: protocols)
    func noAnswerIsThatOfAnotherUpload(settings: UploadProtocol) async throws {
        let server = StubUploads(), stub = self.stub(server)
        // Of the first file two questions have two answers.
        server.breakOff(after: [20_000, 20_000])
        let client = Client(stub) {
            $0.cache = .ttl(.seconds(3600)) { $0.overridesServer = true }
            $0.coalesces = true
            $0.hedge = .after(.milliseconds(1))
            $0.resume = Self.impatient
        }
        for number in 1...2 {
            _ = try await client.send(Upload(.data(Data(noise(50_000, seed: UInt64(number))), name: "f"), to: .post("/files"), by: settings))
            #expect(server.uploads["/uploads/\(number)"]?.bytes == noise(50_000, seed: UInt64(number)))
        }
        let methods = stub.requests.map(\.method).filter { $0 != .options }
        #expect(methods == [.post, .patch, .head, .patch, .head, .patch, .post, .patch])
    }

    @Test(arguments: protocols)
    func uploadsAtOnceAreMadeEachForItself(settings: UploadProtocol) async throws {
        let server = StubUploads(), stub = self.stub(server)
        let client = Client(stub) {
            $0.cache = .ttl(.seconds(3600))
            $0.coalesces = true
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in 1...4 {
                group.addTask { _ = try await client.send(Upload(.data(Data(noise(5000, seed: UInt64(seed))), name: "f"), to: .post("/files"), by: settings)) }
            }
            try await group.waitForAll()
        }
        #expect(Set(server.uploads.values.map(\.bytes)) == Set((1...4).map { noise(5000, seed: UInt64($0)) }))
    }

    @Test(arguments: [true, false])
    func anUploadThatBeginsAnewIsAnotherOperation(isMinted: Bool) async throws {
        let server = StubUploads(), made = Locked<[String: Response]>([:]), appends = Locked(0)
        let stub = StubTransport { request in
            // An answer by the same key is the first one again.
            if request.method == .post {
                let key = request.headers[.idempotencyKey] ?? ""
                if let known = made.withLock({ $0[key] }) { return known }
                let response = try server.answer(request)
                made.withLock { $0[key] = response }
                return response
            }
            let isSecond =
                request.method == .patch
                && appends.withLock { count in
                    count += 1
                    return count == 2
                }
            if isSecond { server.forget() }
            return try server.answer(request)
        }
        let client = Client(stub) { $0.idempotencyKey = isMinted ? .automatic : .value("order-1") }
        let upload = {
            _ = try await client.send(Upload(.data(Data(noise(50_000)), name: "f"), to: .post("/files"), by: .tus { $0.chunkSize = 20_000 }))
        }
        if isMinted {
            try await upload()
            #expect(server.uploads["/uploads/2"]?.bytes == noise(50_000))
        } else {
            let error = await failure { try await upload() }
            #expect(error?.status == .notFound)
        }
        let keys = stub.requests.filter { $0.method == .post }.compactMap { $0.headers[.idempotencyKey] }
        #expect(keys.count == 2)
        #expect(Set(keys).count == (isMinted ? 2 : 1))
    }
}
