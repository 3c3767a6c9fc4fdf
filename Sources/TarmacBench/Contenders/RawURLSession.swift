#if Tools
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// URLSession as most apps use it.
struct RawURLSession: Contender {
    let name = "URLSession"
    private let session: URLSession

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        session = URLSession(configuration: configuration)
    }

    private func request(_ url: String) -> URLRequest {
        // The benchmark's own URLs are well-formed.
        var request = URLRequest(url: URL(string: url) ?? URL(fileURLWithPath: "/"))
        request.setValue("tarmac-bench", forHTTPHeaderField: "User-Agent")
        request.setValue("*/*", forHTTPHeaderField: "Accept")
        return request
    }

    func get(_ url: String) async throws -> Int { try await session.data(for: request(url)).0.count }

    func getDecoded(_ url: String) async throws -> Int {
        try JSONDecoder().decode([Item].self, from: try await session.data(for: request(url)).0).count
    }

    func download(_ url: String, to path: String) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            session.downloadTask(with: request(url)) { file, _, error in
                guard let file else { return continuation.resume(throwing: error ?? URLError(.unknown)) }
                continuation.resume(
                    with: Result {
                        try? FileManager.default.removeItem(atPath: path)
                        try FileManager.default.moveItem(at: file, to: URL(fileURLWithPath: path))
                    })
            }.resume()
        }
    }

    func upload(_ path: String, to url: String) async throws {
        var request = request(url)
        request.httpMethod = "PUT"
        _ = try await session.upload(for: request, fromFile: URL(fileURLWithPath: path))
    }

    /// By a copy, as URLSession sends a file or what is in memory, and nothing around them.
    func uploadForm(_ path: String, to url: String) async throws {
        let copy = "\(path)-form-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: copy) }
        guard FileManager.default.createFile(atPath: copy, contents: Data(RawForm.head.utf8)), let source = FileHandle(forReadingAtPath: path),
            let target = FileHandle(forWritingAtPath: copy)
        else { throw CocoaError(.fileWriteUnknown) }
        try target.seekToEnd()
        while let chunk = try source.read(upToCount: 1 << 20), !chunk.isEmpty { try target.write(contentsOf: chunk) }
        try target.write(contentsOf: Data(RawForm.tail.utf8))
        try target.close()
        var request = request(url)
        request.httpMethod = "PUT"
        request.setValue(RawForm.contentType, forHTTPHeaderField: "Content-Type")
        _ = try await session.upload(for: request, fromFile: URL(fileURLWithPath: copy))
    }

    func shutdown() async throws { session.invalidateAndCancel() }
}
#endif
