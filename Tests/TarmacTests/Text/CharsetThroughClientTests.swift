import Foundation
import Tarmac
import TarmacJSON
import TarmacTesting
import Testing

/// Chinese charsets from the wire to the value: what is parsed is the transcoded body.
@Suite("Charsets through a client")
struct CharsetThroughClientTests {
    struct Place: Codable, Equatable, Sendable { var name: String }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let contentType: String
        let name: String
        /// The name in the charset.
        let bytes: [UInt8]
    }

    static let rows = [
        Row(testDescription: "GBK", contentType: "application/json; charset=GBK", name: "中文", bytes: [0xD6, 0xD0, 0xCE, 0xC4]),
        Row(testDescription: "gb2312", contentType: "application/json;charset=\"gb2312\"", name: "着陆", bytes: [0xD7, 0xC5, 0xC2, 0xBD]),
        // The second byte is that of a backslash: parsed as it comes, it would escape the quotation mark behind it.
        Row(testDescription: "GBK with a backslash in it", contentType: "application/json; charset=gbk", name: "乗", bytes: [0x81, 0x5C]),
        Row(
            testDescription: "gb18030, four bytes", contentType: "application/json; charset=gb18030", name: "𠀀乗",
            bytes: [0x95, 0x32, 0x82, 0x36, 0x81, 0x5C]),
    ]

    private func client(_ row: Row) -> Client {
        let body = Bytes([UInt8](#"{"name":""#.utf8) + row.bytes + [UInt8](#""}"#.utf8))
        return Client(StubTransport { _ in .bytes(body, contentType: row.contentType) })
    }

    @Test(arguments: rows)
    func aBodyLandsInUnicodeWhateverItLandsAs(row: Row) async throws {
        let client = client(row)
        #expect(try await client.get("/", as: String.self) == "{\"name\":\"\(row.name)\"}")
        #expect(try await client.get("/", as: JSON.self)["name"].string == row.name)
        #expect(try await client.get("/", as: Place.self) == Place(name: row.name))
        #expect(try await client.get("/", as: Place.self) { $0.decoder = .foundation(.init()) } == Place(name: row.name))
    }

    @Test(arguments: rows)
    func theServersWordsAreInUnicodeToo(row: Row) async throws {
        let body = Bytes([UInt8](#"{"status":0,"message":""#.utf8) + row.bytes + [UInt8](#""}"#.utf8))
        let client = Client(StubTransport { _ in .bytes(body, contentType: row.contentType) }) {
            $0.envelope = Envelope(success: { $0["status"] == 1 }, message: "message")
        }
        let error = await failure { _ = try await client.get("/", as: JSON.self) }
        #expect(error?.code == .envelopeFailure)
        #expect(error?.serverMessage == row.name)
    }

    @Test func aBrokenByteIsAnErrorThatNamesTheCharset() async {
        let client = Client(StubTransport { _ in .bytes(Bytes([0x22, 0xCD, 0x22]), contentType: "application/json; charset=gbk") })
        let error = await failure { _ = try await client.get("/", as: JSON.self) }
        #expect(error?.code == .decodingFailed)
        #expect(error?.reason.contains("gbk") == true)
    }
}
