import Foundation
import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCallLog
import TarmacHAR

/// HTTPTypes ends the process at 65,535 fields, so no file makes so many.
@Suite("Files with very many header fields", .timeLimit(.minutes(5)))
struct ManyFieldsTests {
    private static let many = "[" + Array(repeating: #"{"name":"a","value":""}"#, count: 100_000).joined(separator: ",") + "]"

    private static func item(request: String = "[]", response: String = "[]", _ more: String = "") -> String {
        #"{"request":{"method":"GET","url":"https://s.example/","headers":\#(request)},"response":{"status":200,"content":{},"headers":\#(response)}\#(more)}"#
    }

    /// A call of Tarmac, as its archive has it, with the fields put into one of its messages.
    private static func own(_ part: String) async throws -> String {
        let rig = LogRig()
        try await rig.fly()
        let text = String(decoding: rig.log.har().bytes.array, as: UTF8.self)
        let fields = String(repeating: #"{"name":"a","value":""},"#, count: 100_000)
        return text.replacingOccurrences(of: #""\#(part)":[{"#, with: #""\#(part)":[\#(fields){"#)
    }

    @Test(arguments: [item(request: many), item(response: many)])
    func anItemOfAnotherProgramIsLeftOut(item: String) throws {
        let archive = try HAR(parsing: Array(#"{"log":{"entries":[\#(item),\#(Self.item())]}}"#.utf8))
        #expect(archive.entries.count == 1 && archive.leftOut == 1)
    }

    @Test func aCallOfTarmacIsLeftOut() async throws {
        let archive = try HAR(parsing: Array(try await Self.own("headers").utf8))
        #expect(archive.entries.isEmpty && archive.leftOut > 0)
    }

    @Test func aCassetteFailsTheCall() async throws {
        let har = #"{"log":{"entries":[\#(Self.item(response: Self.many))]}}"#
        let player = CassettePlayer(try Cassette(har: Data(har.utf8)))
        let client = Client(transport: .replaying(player), services: [Service("s", host: "https://s.example")])
        let error = await #expect(throws: TarmacError.self) { try await client.get("/") }
        #expect(error?.code == .headersTooLarge)
    }

    @Test(arguments: ["array", "data", "bytes", "slice"]) func anArchiveIsReadFromAnyBytes(kind: String) throws {
        let text = Array(#"{"log":{"entries":[\#(Self.item())]}}"#.utf8)
        let (archive, json) =
            switch kind {
            case "array": (try HAR(parsing: text), try JSON(parsing: text))
            case "data": (try HAR(parsing: Data(text)), try JSON(parsing: Data(text)))
            case "bytes": (try HAR(parsing: Bytes(text)), try JSON(parsing: Bytes(text)))
            default: (try HAR(parsing: text[...]), try JSON(parsing: text[...]))
            }
        #expect(archive.entries.count == 1 && json["log"]["entries"].count == 1)
    }
}
