import Foundation
import HTTPTypes
import Tarmac
import TarmacTesting
@testable import TarmacURLSession
import Testing
#if NIO
import NIOCore
import TarmacNIO
#endif

/// Heads of responses from hostile servers, as far as Tarmac reads them. `scripts/fuzz readers` fuzzes them for longer.
@Suite("Hostile heads of responses", .timeLimit(.minutes(30)))
struct HeadFuzzTests {
    @Test(arguments: readers) func noBytesEndTheProcess(reader: FuzzedReader) throws {
        for seed in reader.seeds { #expect(throws: Never.self) { try reader.read(seed) } }
        #expect(FuzzBudget.spend(on: reader) > 0)
    }

    private static let head =
        "Content-Type: text/html\r\nSet-Cookie: a=b; Path=/, c=d; Expires=Wed, 21 Oct 2026 07:28:00 GMT\r\nContent-Length: 7, 7\r\n"
        + "Content-Encoding: gzip, br\r\n"

    private static let heads = [head, "200\r\n" + head, "204\r\nContent-Length: 9223372036854775807\r\nTransfer-Encoding: chunked\r\n"]

    private static let readers: [FuzzedReader] =
        [
            FuzzedReader(text: "head-urlsession", heads, share: 1) { text in
                let lines = text.split(whereSeparator: \.isNewline)
                let pairs = lines.map { line in
                    let halves = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                    return (name: halves[0], value: halves.count > 1 ? halves[1] : "")
                }
                let fields = try MergedFields.fields(from: pairs), status = lines.first.flatMap { Int($0) } ?? 200
                for method in [HTTPRequest.Method.get, .head] {
                    let head = try ResponseHead(method: method, status: status, fields: fields, decodesContent: true)
                    _ = (head.truncation(received: 0), head.truncation(received: .max), head.headers.count)
                }
            },
            FuzzedReader(text: "pem", ["-----BEGIN CERTIFICATE-----\nAAEC\n-----END CERTIFICATE-----\n"]) { _ = PEMCertificates.parse($0) },
        ] + nio

    #if NIO
    private static let status = "HTTP/1.1 200 OK\r\n"
    private static let nioHeads = [
        status + head + "\r\nbody", "HTTP/1.1 103 X\r\nA: b\t\r\n\r\nHTTP/1.1 302 X\nLocation: /é\n\n",
        "\r\nHTTP/1.0 101 X\r\n\tA: é \t\r\n\r\n",
    ]
    private static let nio = [
        FuzzedReader("head-nio", nioHeads) { bytes in
            let whole = lines(bytes, in: bytes.count + 1)
            for size in [1, 7] { #expect(lines(bytes, in: size) == whole, "\(String(decoding: bytes, as: UTF8.self).debugDescription)") }
        }
    ]

    private static func lines(_ bytes: [UInt8], in size: Int) -> [UInt8] {
        var lines = ResponseHeadLines(), rest = bytes[...], result: [UInt8] = []
        lines.begin()
        while !rest.isEmpty {
            let piece = ByteBuffer(bytes: rest.prefix(size))
            rest = rest.dropFirst(size)
            result += (lines.isInHead ? lines.add(piece) : piece).map { Array($0.readableBytesView) } ?? []
        }
        return result + (lines.rest().map { Array($0.readableBytesView) } ?? [])
    }
    #else
    private static let nio: [FuzzedReader] = []
    #endif
}
