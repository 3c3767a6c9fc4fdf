import Foundation
import HTTPTypes
import Tarmac
@testable import TarmacURLSession
import Testing

@Suite struct BodyPartsTests {
    @Test func meterHoldsABodyToItsLength() throws {
        var exact = BodyMeter(declared: 5)
        try exact.note(5)
        try exact.note(0)
        var long = BodyMeter(declared: 5)
        #expect(throws: TarmacError.self) { try long.note(6) }
        var short = BodyMeter(declared: 5)
        try short.note(4)
        #expect(throws: TarmacError.self) { try short.note(0) }
        var unknown = BodyMeter(declared: nil)
        try unknown.note(7)
        try unknown.note(0)
    }

    @Test func shortStreamRestsInMemoryAndALongOneInAFile() async throws {
        let small = try await BodySpool.collect(URLSessionExchangeTests.stream(["ab", "c"]), declared: nil)
        guard case .bytes(let bytes) = small else { throw POSIXError(.EINVAL) }
        #expect(bytes == Bytes("abc"))
        let long = String(repeating: "x", count: 200_000)
        let large = try await BodySpool.collect(URLSessionExchangeTests.stream([long, long, "end"]), declared: nil)
        guard case .temporary(let file, 400_003) = large else { throw POSIXError(.EINVAL) }
        #expect(FileManager.default.contents(atPath: file.path) == Data((long + long + "end").utf8))
    }

    @Test func temporaryFileGoesWithItsLastReference() throws {
        let path = try TemporaryFile().path
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func temporaryFileIsItsUsersAlone() throws {
        let file = try TemporaryFile()
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
    }

    @Test func gathererHandsOnASingleChunkAndJoinsMore() {
        var gatherer = BodyGatherer(limit: 10, expected: 6)
        #expect(gatherer.finish().isEmpty)
        for text in ["ab", "cd", "ef"] { gatherer.append(Data(text.utf8)) }
        #expect(gatherer.finish() == Bytes("abcdef"))
        #expect(gatherer.hasRoom(for: 4))
        #expect(!gatherer.hasRoom(for: 5))
    }

    @Test(arguments: [
        (true, "GET", 0, LaneNeed.shared), (true, "PUT", 0, .shared), (true, "POST", 0, .fresh),
        (true, "POST", 3, .shared), (false, "POST", 0, .shared),
    ])
    func onlyAnEmptyBodyThatMustNotBeResentNeedsAFreshConnection(
        resends: Bool, method: String, length: Int, need: LaneNeed
    ) throws {
        let body: Body = length == 0 ? .none : .bytes(Bytes([UInt8](repeating: 0, count: length)))
        let request = Request(HTTPRequest.Method(method)!, try HTTPURL("http://a.example/"), body: body)
        #expect(LaneNeed(request, resendsByItself: resends) == need)
    }
}
