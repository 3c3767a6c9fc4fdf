import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCallLog

/// Commands of requests that an archive may have made up.
@Suite("cURL commands of the log")
struct CurlCommandTests {
    private func request(
        _ url: String, headers: [CallLog.Field] = [], body: String? = nil, method: String = "POST"
    ) -> CallLog.Request {
        let body = body.map { CallLog.Body(mediaType: "text/plain", size: Int64($0.utf8.count), text: $0, base64: nil, isTruncated: false) }
        return CallLog.Request(method: method, url: url, headers: headers, body: body)
    }

    @Test func aURLIsNoOption() {
        #expect(request("-o/x", method: "GET").curl == "curl \\\n  --url -o/x")
        #expect(request("--next it", method: "GET").curl == "curl \\\n  --url '--next it'")
        #expect(request("https://s.example/a", method: "GET").curl == "curl \\\n  https://s.example/a")
    }

    @Test(arguments: ["https://s.example/?q[0]=1", "https://s.example/{a,b}", "https://[2001:db8::1]/"]) func aURLIsNoPattern(url: String) {
        #expect(request(url, method: "GET").curl == "curl \\\n  --globoff \\\n  '\(url)'")
    }

    @Test func controlCharactersAreShown() {
        let curl = request("https://s.example/\u{1B}[2J", headers: [.init(name: "X-A", value: "b\r\nc\u{7F}")], body: "one\n\ttwo\r\u{0}\u{85}").curl
        #expect(curl.contains("/␛[2J'") && curl.contains("b␍\nc␡") && curl.hasPrefix(#"printf 'one\012\011two\015\000\302\205' | curl "#))
        #expect(!curl.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t" })
    }

    @Test func aFieldThatIsNoneIsNoFile() {
        let fields: [CallLog.Field] = [.init(name: "@/etc/passwd", value: "x"), .init(name: "", value: "y"), .init(name: "X-A", value: "z")]
        let curl = request("https://s.example/", headers: fields).curl
        #expect(curl.contains("--header 'X-A: z'") && !curl.contains("passwd") && !curl.contains(": y"))
    }

    @Test func aBodyWithoutItsCodingHasNoFieldsOfIt() {
        let fields: [CallLog.Field] = [
            .init(name: "content-encoding", value: "gzip"), .init(name: "Content-Length", value: "7"), .init(name: "Transfer-Encoding", value: "chunked"),
            .init(name: "X-A", value: "z"),
        ]
        let coded = request("https://s.example/", headers: fields, body: "hello").curl
        #expect(!coded.lowercased().contains("encoding") && !coded.contains("Content-Length") && coded.contains("--data-raw hello") && coded.contains("X-A"))
        #expect(request("https://s.example/", headers: Array(fields.dropFirst()), body: "hello").curl.contains("Content-Length: 7"))
        #expect(request("https://s.example/", headers: fields).curl.contains("content-encoding: gzip"))
    }

    @Test func aCompressedRequestIsShownAsItWasBeforeItsCompression() async throws {
        let log = CallLog(bodies: .first(.kib(64))), text = String(repeating: "hello ", count: 2_000), stub = StubTransport { _ in .status(.ok) }
        let client = Client(transport: .stub(stub), services: [.logged]) { ($0.log, $0.requestCompression) = (log, .gzip) }
        try await client.post("/n", body: .text(text))
        #expect(stub.requests.last?.headers[.contentEncoding] == "gzip")
        let curl = try #require(log.entries.last?.curl)
        #expect(curl.contains("hello hello") && !curl.lowercased().contains("content-encoding"))
        await client.shutdown()
    }
}
