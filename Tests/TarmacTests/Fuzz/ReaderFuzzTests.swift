import Foundation
import HTTPTypes
import TarmacJSON
import TarmacSupport
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@testable import TarmacCache
@testable import TarmacCallLog
@testable import TarmacCookies
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacFormats
import TarmacHAR
@testable import TarmacStreams
@testable import TarmacTransfer

/// Bytes from the wire and from files never end the process. `scripts/fuzz readers 60` spends a minute on each reader.
@Suite("Readers of hostile bytes", .timeLimit(.minutes(30)))
struct ReaderFuzzTests {
    @Test(arguments: wire + values + files + stores + forms + more) func noBytesEndTheProcess(reader: FuzzedReader) throws {
        for seed in reader.seeds { #expect(throws: Never.self, "\(reader.name): \(String(decoding: seed, as: UTF8.self))") { try reader.read(seed) } }
        #expect(FuzzBudget.spend(on: reader) > 0)
    }

    private static func headers(_ name: String, _ value: String) -> HTTPFields {
        HTTPField.Name(name).map { [$0: value] } ?? [:]
    }

    // MARK: Bodies of the wire

    private static let wire: [FuzzedReader] = [
        FuzzedReader("server-sent-events", ["event: a\nid: 7\nretry: 1000\ndata: {\"a\":1}\n\n: c\r\n\r\ndata\n\n", "\u{FEFF}data: x\rdata: y\r\r"]) { bytes in
            var parser = EventStreamParser(maximumEventSize: 4_096)
            for chunk in bytes.chunks(of: 7) {
                parser.append(Bytes(chunk))
                while let event = try parser.next() { _ = (event, parser.reconnectionTime) }
            }
        },
        FuzzedReader("lines", ["{\"a\":1}\n{\"a\":2}\r\n\n{", "\u{1E}{}\n"]) { bytes in
            var lines = LineParser(skippingBlank: true, limit: 4_096)
            for chunk in bytes.chunks(of: 5) {
                lines.append(Bytes(chunk))
                while try lines.next() != nil {}
            }
            lines.finish()
            while try lines.next() != nil {}
        },
        FuzzedReader("text-sequence", ["\u{1E}{\"a\":1}\n\u{1E}true\n"]) { bytes in
            var texts = TextSequenceParser(limit: 4_096)
            for chunk in bytes.chunks(of: 5) {
                texts.append(Bytes(chunk))
                while try texts.next() != nil {}
            }
            texts.finish()
        },
        FuzzedReader(
            "property-list", ["<plist version=\"1.0\"><dict><key>a</key><array><integer>7</integer><date>2026-01-01T00:00:00Z</date></array></dict></plist>"]
        ) { try propertyList($0) },
        FuzzedReader("binary-property-list", bytes: [binaryList]) { try propertyList($0) },
    ]

    private static let binaryList: [UInt8] = {
        let value: [String: Any] = ["a": [1, 2.5, "x", Date(timeIntervalSince1970: 0), Data([1, 2])], "é": ["b": true, "c": -1]]
        return (try? PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)).map { [UInt8]($0) } ?? []
    }()

    private static func propertyList(_ bytes: [UInt8]) throws {
        let data = try PropertyListCheck.data(Bytes(bytes)) { () throws(TarmacError) in String(decoding: bytes, as: UTF8.self) }
        _ = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
    }

    // MARK: Values of fields, and URLs

    private static let values: [FuzzedReader] = [
        FuzzedReader(text: "url", ["https://h.example:8443/a/../b%20c?x[0]=1&y=é#f", "http://[::1]:80/", "http://1.2.3.4/", "https://bücher.example/"]) {
            text in
            let url = try HTTPURL(text)
            _ = (url.string, try? HTTPURL(url.string), Redactor.standard.url(url))
        },
        FuzzedReader(text: "media-type", ["text/html; charset=\"utf-8\"; a=b", "application/problem+json"]) { text in
            guard let type = MediaType(text) else { return }
            _ = (type.essence, type.isJSON)
        },
        FuzzedReader(text: "cache-control", ["max-age=60, s-maxage=\"7\", no-cache=\"a, b\", stale-while-revalidate=30, private"]) { text in
            _ = CacheDirectives(headers("Cache-Control", text))
        },
        FuzzedReader(text: "set-cookie", ["a=b; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Max-Age=60; Domain=.s.example; Path=/; Secure; HttpOnly; SameSite=Lax"])
        { text in
            _ = SetCookie(text)
        },
        FuzzedReader(text: "link", ["<https://s.example/?page=2>; rel=\"next\"; title*=UTF-8''%e2, </a>; rel=prev"]) { text in
            var parser = WebLinkParser(text)
            _ = parser.links()
        },
        FuzzedReader(text: "challenge", [#"Digest realm="a", nonce="n==", qop="auth,auth-int", algorithm=SHA-256, stale=true, Basic realm="x", Bearer abc=="#])
        { text in
            _ = AuthChallenge.parse([text])
        },
        FuzzedReader(text: "content-range", ["bytes 0-99/1000", "bytes */7", "bytes 5-9/*"]) { _ = ContentRange($0) },
        FuzzedReader(text: "date", ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]) { text in
            _ = HTTPDate.seconds(text, currentYear: 2026)
        },
        FuzzedReader(text: "digest-field", ["sha-256=:4REjxQ4yrqUVicfSKYNO/cF9zNj5ANbzgDZt3/h3Qxo=:, sha-512=:AA==:"]) { text in
            for name in ["Repr-Digest", "Content-Digest", "Digest"] {
                if let field = HTTPField.Name(name) { _ = DigestField.strongest(field, in: [field: text]) }
            }
        },
        FuzzedReader(text: "masked-text", ["GET /x?key=abc&token=Bearer eyJhbGciOi {\"password\":\"x\"} <pin>1</pin> --secret y -u a:b"]) { text in
            _ = (Redactor.standard.value(text), Redactor.standard.form(text))
        },
    ]

    // MARK: Files

    private static let files: [FuzzedReader] = [
        FuzzedReader("json", [#"{"a":[1,-2.5e3,"x\u00e9",null,true],"b":{"c":"d"}}"#]) { _ = try JSON(parsing: $0).bytes() },
        FuzzedReader("archive", [archive]) { bytes in
            let har = try HAR(parsing: bytes)
            _ = (har.bytes.count, har.entries.map(\.description), har.entries.map(\.curl))
        },
        FuzzedReader("cassette", [archive]) { bytes in
            let cassette = try Cassette(har: Data(bytes))
            _ = (cassette.description, try cassette.har.count)
        },
        FuzzedReader("cache-entry", bytes: [Array(repeating: 0, count: 200), [1, 0, 0, 0, 3, 65, 66, 67]]) { _ = CacheEntry(encoded: $0) },
        FuzzedReader(text: "call-record", [#"{"call":{"id":1}}"#], share: 1) { text in
            let path = "\(NSTemporaryDirectory())fuzzed-\(UUID().uuidString)"
            try text.write(toFile: path, atomically: false, encoding: .utf8)
            defer { try? FileManager.default.removeItem(atPath: path) }
            for entry in (try? RecordFile.entries(of: path)) ?? [] { _ = (entry.curl, entry.description, entry.json.count) }
        },
    ]

    private static let archive = #"""
        {"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[{"startedDateTime":"2026-01-02T03:04:06.5+02:00","time":12.5,"request":
        {"method":"POST","url":"https://s.example/a?token=x&b=1","httpVersion":"h2","headers":[{"name":"Cookie","value":"a=b"}],"postData":{"mimeType":"application/json",
        "text":"{\"password\":\"hunter2\"}"}},"response":{"status":200,"statusText":"OK","headers":[{"name":"Content-Type","value":"image/png"}],"content":{"size":3,
        "mimeType":"image/png","text":"AAEC","encoding":"base64"}},"timings":{"blocked":1,"dns":-1,"connect":3,"ssl":2,"send":1,"wait":4,"receive":1},"serverIPAddress":"::1",
        "_tarmac":{"id":1,"outcome":"landed","attempt":{"number":1,"start":5}}}]}}
        """#
}

extension [UInt8] {
    fileprivate func chunks(of size: Int) -> [[UInt8]] { stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) } }
}
