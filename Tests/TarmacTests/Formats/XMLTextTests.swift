import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacFormats

private struct GetFeed: Endpoint {
    typealias Value = String
    static let route: Route = .get("/feed")
    var landing: Landing<String> { .xml }
}

/// YTK-8: XML as text, checked and in its own charset.
@Suite("XML as text", .timeLimit(.minutes(5)))
struct XMLTextTests {
    private func client(_ bytes: [UInt8], _ type: String?) -> Client {
        Client(
            StubTransport { request in
                Response(status: .ok, headers: type.map { [.contentType: $0] } ?? [:], body: .bytes(Bytes(bytes)), url: request.url)
            })
    }

    @Test(arguments: ["application/xml", "text/xml", "application/atom+xml; charset=utf-8", "image/svg+xml", nil] as [String?])
    func typesOfXMLAreAccepted(type: String?) async throws {
        #expect(try await client(Array("<a>ä</a>".utf8), type).send(GetFeed()) == "<a>ä</a>")
    }

    @Test(arguments: ["text/html", "application/json", "text/plain"])
    func othersAreNot(type: String) async throws {
        let client = client(Array("<a/>".utf8), type)
        #expect(await failure { _ = try await client.send(GetFeed()) }?.code == .unacceptableContentType)
        #expect(try await client.send(GetFeed()) { $0.acceptableContentTypes = .any } == "<a/>")
    }

    // RFC 7303 §3: the byte order mark, then the charset of the header, then the declaration.
    @Test(
        arguments: [
            (
                Array(#"<?xml version="1.0" encoding="GBK"?><a>"#.utf8) + [0xC4, 0xE3] + Array("</a>".utf8), nil,
                #"<?xml version="1.0" encoding="GBK"?><a>你</a>"#
            ),
            (Array("<?xml version='1.0' encoding = 'iso-8859-1'?><a>".utf8) + [0xE4], "text/xml", "<?xml version='1.0' encoding = 'iso-8859-1'?><a>ä"),
            (Array(#"<?xml version="1.0" encoding="GBK"?><a>ä"#.utf8), "text/xml; charset=utf-8", #"<?xml version="1.0" encoding="GBK"?><a>ä"#),
            ([0xEF, 0xBB, 0xBF] + Array(#"<?xml version="1.0" encoding="GBK"?>ä"#.utf8), nil, #"<?xml version="1.0" encoding="GBK"?>ä"#),
            (Array("<?xml version=\"1.0\"?>ä".utf8), nil, "<?xml version=\"1.0\"?>ä"),
        ] as [([UInt8], String?, String)])
    func theCharsetIsTheOneThatIsNamedFirst(bytes: [UInt8], type: String?, text: String) async throws {
        #expect(try await client(bytes, type).send(GetFeed()) == text)
    }

    @Test(arguments: ["<?xml encoding", "<?xml encoding=GBK?>", "<a encoding='GBK'>", "<?xml encoding=''?>", "", "<?xml version='1.0'?>"])
    func aDeclarationThatNamesNothingIsNone(text: String) {
        #expect(Array(text.utf8).withUnsafeBytes { XMLDeclaration.encoding(in: $0) } == nil)
    }

    @Test func aBodyOfXMLSaysSo() throws {
        let body = Body.xml("<a>\(Body.xmlEscaped("<&>\"'\r\n\u{1}ä"))</a>")
        #expect(body.contentType == "application/xml; charset=utf-8")
        guard case .bytes(let bytes) = body.content else { throw Foreign() }
        #expect(String(decoding: bytes.array, as: UTF8.self) == "<a>&lt;&amp;&gt;&quot;&apos;&#13;\n\u{FFFD}ä</a>")
    }

    @Test func aJSONEnvelopeIsNotLookedForInXML() async throws {
        let client = Client(StubTransport { _ in .text("<a/>", headers: [.contentType: "text/xml"]) }) {
            $0.envelope = Envelope(success: { _ in false })
        }
        #expect(try await client.send(GetFeed()) == "<a/>")
    }
}
