#if Tools
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import _NIOFileSystem

/// AsyncHTTPClient as its documentation shows it, with the settings Tarmac gives it.
struct RawAsyncHTTPClient: Contender {
    let name = "AsyncHTTPClient"
    private let client: HTTPClient

    init() {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }

    private func request(_ url: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "User-Agent", value: "tarmac-bench")
        request.headers.add(name: "Accept-Encoding", value: "gzip, deflate")
        request.headers.add(name: "Accept", value: "*/*")
        return request
    }

    private func body(_ url: String) async throws -> ByteBuffer {
        let response = try await client.execute(request(url), timeout: .seconds(60))
        return try await response.body.collect(upTo: 64 << 20)
    }

    func get(_ url: String) async throws -> Int { try await body(url).readableBytes }

    func getDecoded(_ url: String) async throws -> Int {
        let buffer = try await body(url)
        return try JSONDecoder().decode([Item].self, from: Data(buffer.readableBytesView)).count
    }

    func download(_ url: String, to path: String) async throws {
        let response = try await client.execute(request(url), timeout: .seconds(60))
        try await FileSystem.shared.withFileHandle(forWritingAt: FilePath(path), options: .newFile(replaceExisting: true)) { file in
            var offset: Int64 = 0
            for try await chunk in response.body {
                offset += try await file.write(contentsOf: chunk.readableBytesView, toAbsoluteOffset: offset)
            }
        }
    }

    func upload(_ path: String, to url: String) async throws {
        try await FileSystem.shared.withFileHandle(forReadingAt: FilePath(path)) { file in
            let length = try await file.info().size
            var request = request(url)
            request.method = .PUT
            request.body = .stream(file.readChunks(), length: .known(length))
            let response = try await client.execute(request, timeout: .seconds(60))
            _ = try await response.body.collect(upTo: 1 << 20)
        }
    }

    func uploadForm(_ path: String, to url: String) async throws {
        try await FileSystem.shared.withFileHandle(forReadingAt: FilePath(path)) { file in
            let length = try await file.info().size
            let head = ByteBuffer(string: RawForm.head), tail = ByteBuffer(string: RawForm.tail)
            var request = request(url)
            request.method = .PUT
            request.headers.replaceOrAdd(name: "Content-Type", value: RawForm.contentType)
            request.body = .stream(
                FormChunks(head: head, file: file.readChunks(), tail: tail), length: .known(Int64(head.readableBytes + tail.readableBytes) + length))
            let response = try await client.execute(request, timeout: .seconds(60))
            _ = try await response.body.collect(upTo: 1 << 20)
        }
    }

    func shutdown() async throws { try await client.shutdown() }
}

/// A file between two pieces of text.
private struct FormChunks: AsyncSequence, Sendable {
    let head: ByteBuffer
    let file: FileChunks
    let tail: ByteBuffer

    struct AsyncIterator: AsyncIteratorProtocol {
        var head: ByteBuffer?
        var file: FileChunks.AsyncIterator
        var tail: ByteBuffer?

        mutating func next() async throws -> ByteBuffer? {
            if let head = head.take() { return head }
            return try await file.next() ?? tail.take()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(head: head, file: file.makeAsyncIterator(), tail: tail) }
}
#endif
