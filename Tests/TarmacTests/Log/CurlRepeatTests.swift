#if os(Linux) || os(macOS)
import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCallLog

private let curl = ["/usr/bin/curl", "/bin/curl", "/opt/homebrew/bin/curl", "/usr/local/bin/curl"].first { FileManager.default.isExecutableFile(atPath: $0) }

/// The printed line, run by a shell with curl, sends what the request says. Without curl there is nothing to run.
@Suite("cURL lines that repeat their request", .enabled(if: curl != nil), .timeLimit(.minutes(5)))
struct CurlRepeatTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var method = HTTPRequest.Method.get
        var target = "/"
        var headers: HTTPFields = [:]
        var body: [UInt8]?
        var type: String?
        var testDescription: String { "\(method) \(target) \(body?.count ?? -1)" }
    }

    private static let every = (0...255).map { UInt8($0) }
    private static let empty = HTTPField.Name("X-Empty")!

    static let rows: [Row] = [
        Row(), Row(target: "/a/../k"), Row(target: "/a/./k/.."), Row(target: "/a/%2E%2e/k?x=/../y"), Row(target: "/q?a[0]=1&b={x,y}&c=[1-3]"),
        Row(target: "/q?x=it's&y=$HOME&z=`id`&w=!!&v=%00;~"), Row(target: "/%27%20%22"), Row(method: .head), Row(method: .delete), Row(method: .options),
        Row(method: .post), Row(method: .put), Row(method: .patch), Row(method: .post, body: []), Row(method: .post, body: Array("a=1".utf8)),
        Row(method: .get, body: Array("{}".utf8), type: "application/json"), Row(method: .delete, body: Array("x".utf8), type: "text/plain"),
        Row(method: .post, body: Array("@/etc/passwd".utf8), type: "text/plain"), Row(method: .post, body: Array("-d x".utf8), type: "text/plain"),
        Row(method: .put, body: Array("it's\n\tall 100% \\n $HOME `id` \"x\" é 😀 \\\n".utf8), type: "text/plain; charset=utf-8"),
        Row(method: .post, body: every, type: "application/octet-stream"), Row(method: .post, body: every + every), Row(method: .put, body: [0]),
        // `printf` of a shell takes a hyphen at the start for an option.
        Row(method: .post, body: Array("--boundary\r\n\r\n--boundary--\r\n".utf8), type: "text/plain"),
        Row(method: .post, body: [UInt8](repeating: 45, count: 110_000), type: "text/plain"),
        Row(method: .post, body: Array("a\r\nb\u{0}c%d\u{85}7".utf8), type: "text/plain"),
        Row(method: .post, body: (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }),
        Row(method: .post, body: [UInt8](repeating: 97, count: 100_000), type: "text/plain"),
        // Linux allows 128 KiB for an argument.
        Row(method: .post, body: [UInt8](repeating: 97, count: 131_072), type: "text/plain"),
        Row(method: .put, body: Array(String(repeating: "it's 100% \\n é 😀\n", count: 12_000).utf8), type: "text/plain"),
        Row(headers: [empty: "", .accept: "text/html; q=0.5, */*", .cookie: "a=b; c='d'", .userAgent: "x y"]),
        Row(headers: [.authorization: "Basic dTpw", .acceptEncoding: "gzip, br", .range: "bytes=0-", .ifNoneMatch: "\"a\""]),
        Row(method: .post, headers: [.contentType: "", .contentLength: "3"], body: Array("a=1".utf8)),
        Row(method: .init("PROPFIND")!, headers: [HTTPField.Name("Depth")!: "1"]),
    ]

    @Test(arguments: rows) func theLineSendsWhatTheRequestSays(row: Row) async throws {
        try await check(row) { CurlPrinter(redactor: nil).command(for: $0) }
    }

    @Test func aFileIsSentAsItIs() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("curl body's \(UUID())").path
        try Data(Self.every).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await check(Row(method: .post, body: Self.every)) { request in
            var request = request
            request.body = try .file(path)
            return CurlPrinter().command(for: request)
        }
    }

    /// What the log has in full, such as an image.
    @Test func aLoggedBodyThatIsNoTextIsSentAsItIs() async throws {
        try await check(Row(method: .post, body: Self.every, type: "image/png")) { request in
            let body = CallLog.Body(mediaType: "image/png", size: 256, text: nil, base64: Data(Self.every).base64EncodedString(), isTruncated: false)
            let headers = [CallLog.Field(name: "Content-Type", value: "image/png")]
            return CallLog.Request(method: "POST", url: request.url.string, headers: headers, body: body).curl
        }
    }

    private func check(_ row: Row, _ command: (Request) throws -> String) async throws {
        let server = try ScriptedServer([.readRequest, .reply()])
        defer { server.stop() }
        var request = Request(row.method, try HTTPURL("http://127.0.0.1:\(server.port)\(row.target)"), headers: row.headers)
        if let body = row.body { request.body = .bytes(Bytes(body), contentType: row.type) }
        if let type = row.type { request.headers[.contentType] = type }
        let line = try command(request)
        try run(line)
        // As Tarmac sends it: some characters are encoded.
        let target = request.url.string.dropFirst("http://127.0.0.1:\(server.port)".count)
        let seen = try #require(server.requests.first, "\(line)")
        #expect(seen.method == row.method.rawValue && seen.target == target, "\(line)")
        #expect(seen.body == Bytes(row.body ?? []) && seen.isComplete, "\(line)")
        var fields = request.headers.map { "\($0.name.canonicalName): \($0.value)" }
        // A message with a body, or whose method has one, has its length.
        let hasLength = row.body != nil || [.post, .put, .patch].contains(row.method)
        if hasLength, !request.headers.contains(.contentLength) { fields.append("content-length: \(row.body?.count ?? 0)") }
        // What curl adds says no more than its absence.
        let own = Set(["host"] + [HTTPField.Name.accept, .userAgent].filter { !request.headers.contains($0) }.map(\.canonicalName))
        let others = seen.headers.map { (name: $0.name.lowercased(), value: $0.value) }.filter { !own.contains($0.name) }
        #expect(others.map { "\($0.name): \($0.value)" }.sorted() == fields.sorted(), "\(line)")
    }

    private func run(_ line: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // As a user pastes it: as an argument of the shell, the line itself would be too long.
        let script = FileManager.default.temporaryDirectory.appendingPathComponent("curl line \(UUID()).sh")
        try Data(line.utf8).write(to: script)
        defer { try? FileManager.default.removeItem(at: script) }
        process.arguments = [script.path]
        process.environment = ["PATH": "/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin", "HOME": "/nonexistent", "NO_PROXY": "*"]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(line)")
    }
}
#endif
