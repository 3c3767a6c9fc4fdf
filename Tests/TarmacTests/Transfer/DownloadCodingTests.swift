import Foundation
import HTTPTypes
import TarmacJSON
import TarmacDigest
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCache
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacStreams
@testable import TarmacTransfer

/// A server may compress a file although it is asked not to. Then positions, validator and digest are those of the coded bytes,
/// and nothing of what was decoded may be completed by Range (RFC 9110 §8.8.3.3, §14.2).
@Suite("Downloads that come compressed", .timeLimit(.minutes(5)))
struct DownloadCodingTests {
    /// Who takes the coding off.
    enum Decoder: CaseIterable { case engine, transport }

    private static let text = (0..<2000).map { "line \($0)\n" }.joined()
    private static var bytes: [UInt8] { Array(text.utf8) }

    private static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
        let stream = try GzipStream()
        var out: [UInt8] = []
        try stream.deflate(Bytes(bytes), into: &out)
        try stream.finish(into: &out)
        return out
    }

    /// A transport that answers with gzip, by itself decoded or not.
    private static func stub(_ decoder: Decoder, _ answer: @escaping @Sendable (Request) throws -> Response) -> StubTransport {
        let capabilities: TransportCapabilities = decoder == .transport ? .everything.union(.decodesContent) : .everything
        return StubTransport(capabilities: capabilities) { request in
            let response = try answer(request)
            guard decoder == .transport, response.headers[.contentEncoding] == "gzip" else { return response }
            var decoded = response
            // A part is decoded, too, by a transport that does not look at the status.
            if response.status == .partialContent { decoded.status = .ok }
            decoded = try ContentDecoder.decode(decoded, limit: .max, requestMethod: .get)
            decoded.status = response.status
            return decoded
        }
    }

    /// The code of the error, or `nil` if there is none.
    private func ending(_ body: () async throws -> Void) async -> TarmacError.Code? {
        do { try await body() } catch { return (error as? TarmacError)?.code }
        return nil
    }

    @Test(arguments: Decoder.allCases)
    func aBodyThatInflatesBeyondTheLimitIsEndedThere(decoder: Decoder) async throws {
        let file = StubFile(try Self.gzip(Self.bytes), fields: [.contentEncoding: "gzip"]), size = Self.bytes.count
        for (limit, isRefused) in [(size - 1, true), (100, true), (0, true), (size, false)] {
            let client = Client(Self.stub(decoder) { file.answer($0) }) { $0.maximumInflatedSize = limit }
            try await withFolder { folder in
                let code = await ending { try await client.send(Download(.get("/"), to: "\(folder)/f")) }
                #expect(code == (isRefused ? .bodyTooLarge : nil))
                #expect(names(folder) == (isRefused ? [] : ["f"]))
            }
            let count = Locked(0)
            let code = await ending {
                try await client.stream(.get("/", as: String.self)) { response in
                    for try await chunk in response.body { count.withLock { $0 += chunk.count } }
                }
            }
            #expect(code == (isRefused ? .bodyTooLarge : nil))
            #expect(count.withLock { $0 } <= limit)
        }
    }

    @Test(arguments: Decoder.allCases)
    func aBreakOfADecodedFileIsNotCompletedByRange(decoder: Decoder) async throws {
        let file = StubFile(try Self.gzip(Self.bytes), fields: [.contentEncoding: "gzip"]), stub = Self.stub(decoder) { file.answer($0) }
        file.breakOff(after: [3000])
        let ledger = TransferLedger(MemoryTransferStore())
        try await withFolder { folder in
            let client = Client(stub) { $0.transferLedger = ledger }
            let error = await failure { try await client.send(Download(.get("/"), to: "\(folder)/f")) }
            #expect(error?.code == .connectionLost)
            #expect(names(folder) == [])
            let left = try await ledger.unfinished()
            #expect(left == [])
            try await client.send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == Self.bytes)
        }
        #expect(stub.requests.map { $0.headers[.range] } == [nil, nil])
        #expect(stub.requests.allSatisfy { $0.headers[.acceptEncoding] == "identity" })
    }

    @Test(arguments: Decoder.allCases)
    func aPartThatCameCompressedIsDroppedForTheWhole(decoder: Decoder) async throws {
        let file = StubFile(Self.bytes)
        file.breakOff(after: [3000])
        // It inflates to as many bytes as were asked for, and to others.
        let part = try Self.gzip(Array(Self.bytes[3000...].reversed()))
        let stub = Self.stub(decoder) { request in
            guard request.headers.contains(.range) else { return file.answer(request) }
            let fields: HTTPFields = [.contentRange: "bytes 3000-\(Self.bytes.count - 1)/\(Self.bytes.count)", .contentEncoding: "gzip", .eTag: "\"1\""]
            return .bytes(Bytes(part), status: .partialContent, headers: fields)
        }
        try await withFolder { folder in
            try await Client(stub).send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == Self.bytes)
        }
        #expect(stub.requests.map { $0.headers[.range] } == [nil, "bytes=3000-", nil])
    }

    @Test(arguments: Decoder.allCases)
    func aFileThatGoesOnCompressedIsBegunAnew(decoder: Decoder) async throws {
        let file = StubFile(Self.bytes), coded = try Self.gzip(Self.bytes)
        file.breakOff(after: [3000])
        let stub = Self.stub(decoder) { request in
            request.headers.contains(.range) ? .bytes(Bytes(coded), headers: [.contentEncoding: "gzip", .eTag: "\"2\""]) : file.answer(request)
        }
        try await withFolder { folder in
            try await Client(stub).send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == Self.bytes)
        }
        #expect(stub.requests.count == 2)
    }

    @Test(arguments: Decoder.allCases)
    func rangesSideBySideAreNotMadeOfACompressedFile(decoder: Decoder) async throws {
        let coded = try Self.gzip(Self.bytes)
        let stub = Self.stub(decoder) { request in
            guard let range = request.headers[.range] else { return .bytes(Bytes(coded), headers: [.contentEncoding: "gzip", .eTag: "\"1\""]) }
            let length = Int(range.dropFirst(8)).map { $0 + 1 } ?? 0
            return .bytes(
                Bytes(try Self.gzip(Array(Self.bytes.prefix(length)))), status: .partialContent,
                headers: [.contentRange: "bytes 0-\(length - 1)/\(coded.count)", .contentEncoding: "gzip", .eTag: "\"1\""])
        }
        try await withFolder { folder in
            let rule = DownloadRule { ($0.parallelRanges, $0.minimumRange) = (4, 1000) }
            try await Client(stub) { $0.download = rule }.send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == Self.bytes)
        }
        #expect(stub.requests.map { $0.headers[.range] } == ["bytes=0-999", nil])
    }

    @Test(arguments: Decoder.allCases, ["Repr-Digest", "Content-Digest"])
    func theServersDigestIsOfTheCodedBytesAndTheCallersOfTheFile(decoder: Decoder, name: String) async throws {
        let coded = try Self.gzip(Self.bytes), field = try #require(HTTPField.Name(name))
        let fields: HTTPFields = [.contentEncoding: "gzip", field: DigestField.value(PublicHash.hash(coded), .sha256)]
        let stub = Self.stub(decoder) { _ in .bytes(Bytes(coded), headers: fields) }
        try await withFolder { folder in
            let right = ExpectedDigest.sha256(Hexadecimal.text(PublicHash.hash(Self.bytes)))
            try await Client(stub).send(Download(.get("/"), to: "\(folder)/f")) { $0.expectedDigest = right }
            #expect(content("\(folder)/f") == Self.bytes)
        }
    }

    @Test func aStoredAnswerThatWasDecodedSaysSo() async throws {
        let coded = try Self.gzip(Self.bytes), seen = Locked<[Bool]>([])
        let stub = Self.stub(.engine) { _ in
            .bytes(Bytes(coded), headers: [.contentEncoding: "gzip", .cacheControl: "max-age=60", .contentType: "text/plain", .eTag: "\"1\""])
        }
        let looking = Intercepting { request, chain in
            let response = try await chain.proceed(request)
            seen.withLock { $0.append(response.isDecoded) }
            return response
        }
        let client = Client(stub) { ($0.cache, $0.interceptors) = (.http, [looking]) }
        for _ in 0..<2 { _ = try await client.get("/", as: String.self) }
        #expect(stub.requests.count == 1)
        #expect(seen.withLock { $0 } == [true, true])
    }

    @Test func aStoredAnswerBecomesAFileWithoutAnEnvelopeLookedForInIt() async throws {
        let stub = StubTransport { _ in .json(#"{"rows":[]}"#, headers: [.cacheControl: "max-age=60"]) }
        let client = Client(stub) { $0.cache = .http }
        _ = try await client.get("/export.json", as: String.self) { $0.acceptableContentTypes = .any }
        try await withFolder { folder in
            try await client.send(Download(.get("/export.json"), to: "\(folder)/f")) { $0.envelope = Envelope(success: { $0["status"] == 1 }, payload: "data") }
            #expect(content("\(folder)/f") == Array(#"{"rows":[]}"#.utf8))
        }
        #expect(stub.requests.count == 1)
    }
}
