import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

/// A download that broke off continues with a part of the same version only. A response that does not state its version
/// is of any.
@Suite("Versions of downloads", .timeLimit(.minutes(5)))
struct DownloadVersionTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT", later = "Sun, 06 Nov 1994 08:49:38 GMT"
    private static let tagged: HTTPFields = [.eTag: "\"one\""], dated: HTTPFields = [.lastModified: date, .date: later]

    /// The fields of the first response and of the part, and whether the part is of the same version.
    static let parts: [(whole: HTTPFields, part: HTTPFields, isSame: Bool)] = [
        (tagged, tagged, true), (tagged, [:], false), (tagged, [.eTag: "\"two\""], false), (tagged, [.eTag: "W/\"one\""], false),
        (tagged, [.eTag: ""], false), (tagged, dated, false),
        (dated, dated, true), (dated, [:], false), (dated, [.date: later], false), (dated, [.lastModified: later], false), (dated, tagged, false),
        (dated, [.eTag: "\"one\"", .lastModified: date], false),
    ]

    @Test(arguments: parts)
    func aPartOfNoStatedVersionIsNotAppended(whole: HTTPFields, part: HTTPFields, isSame: Bool) async throws {
        // The server ignores If-Range, and its file has changed.
        let old = noise(5000), new = noise(5000, seed: 9), first = StubFile(old, tag: nil, fields: whole)
        first.breakOff(after: [3000])
        let stub = StubTransport { request in
            guard request.headers[.range] == "bytes=3000-" else { return first.answer(request) }
            first.change { ($0.bytes, $0.fields) = (new, [:]) }
            var fields = part
            fields[.contentRange] = "bytes 3000-4999/5000"
            return Response(status: .partialContent, headers: fields, body: .bytes(Bytes(Array(new[3000...]))), url: request.url)
        }
        try await withFolder { folder in
            try await Client(stub).send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == (isSame ? Array(old[..<3000] + new[3000...]) : new))
        }
        #expect(stub.requests.map { $0.headers[.range] } == [nil, "bytes=3000-"] + (isSame ? [] : [nil]))
    }

    @Test(arguments: [true, false])
    func aRangeThatDoesNotExistProvesTheFileOnlyForItsVersion(statesTag: Bool) async throws {
        let old = noise(5000), new = noise(5000, seed: 9), file = StubFile(old)
        file.change { $0.statesLength = false }
        file.breakOff(after: [5000])
        let stub = StubTransport { request in
            guard request.headers.contains(.range) else { return file.answer(request) }
            if !statesTag { file.change { $0.bytes = new } }
            return .status(.rangeNotSatisfiable, headers: statesTag ? [.contentRange: "bytes */5000", .eTag: "\"1\""] : [.contentRange: "bytes */5000"])
        }
        try await withFolder { folder in
            try await Client(stub).send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == (statesTag ? old : new))
        }
    }

    /// Two tags that are not UTF-8 look alike once they are repaired.
    @Test func aTagThatIsNotUTF8IsNoVersion() async throws {
        let fields: HTTPFields = [.eTag: "\"\u{FFFD}\""], old = noise(5000), new = noise(5000, seed: 9), first = StubFile(old, tag: nil, fields: fields)
        first.breakOff(after: [3000])
        let stub = StubTransport { request in
            defer { first.change { $0.bytes = new } }
            return first.answer(request)
        }
        try await withFolder { folder in
            let download = Download(.get("/"), to: "\(folder)/f"), client = Client(stub)
            #expect(await failure { try await client.send(download) }?.code == .connectionLost)
            try await client.send(download)
            #expect(content("\(folder)/f") == new)
        }
        #expect(stub.requests.allSatisfy { !$0.headers.contains(.range) })
    }
}
