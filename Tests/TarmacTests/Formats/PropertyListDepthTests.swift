import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacFormats

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A list of lists of lists.
private struct Nest: Decodable, Sendable {
    let count: Int

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var count = 1
        while !container.isAtEnd { count += try container.decode(Nest.self).count }
        self.count = count
    }
}

/// What a server sends ends no process: lists too deep, in themselves, or much larger than they look (YTK-8).
@Suite("Property lists that are bombs", .timeLimit(.minutes(5)))
struct PropertyListDepthTests {
    private func land(_ bytes: [UInt8]) async throws -> Int {
        let client = Client(StubTransport { _ in .bytes(Bytes(bytes), contentType: "application/x-plist") })
        // On a small stack, as calls fly.
        return try await Task.detached { try await client.get("/", as: Nest.self) { $0.decoder = .propertyList() }.count }.value
    }

    private func refused(_ bytes: [UInt8]) async -> TarmacError? { await failure { _ = try await land(bytes) } }

    private static func xml(_ depth: Int, _ inside: String = "", open: String = "<array>", close: String = "</array>") -> [UInt8] {
        let begin = String(repeating: open, count: depth), end = String(repeating: close, count: depth)
        return Array("<?xml version=\"1.0\"?><plist version=\"1.0\">\(begin)\(inside)\(end)</plist>".utf8)
    }

    /// The same text in UTF-16, the lower half first.
    private static func wide(_ text: [UInt8]) -> [UInt8] { text.flatMap { [$0, 0] } }

    /// A binary list whose objects are arrays of the objects with these numbers.
    private static func binary(_ arrays: [[UInt8]]) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for references in arrays {
            offsets.append(bytes.count)
            bytes += references.count < 15 ? [0xA0 | UInt8(references.count)] : [0xAF, 0x10, UInt8(references.count)]
            bytes += references
        }
        let table = bytes.count
        for offset in offsets { bytes += [UInt8(offset >> 8), UInt8(offset & 0xFF)] }
        bytes += [0, 0, 0, 0, 0, 0, 2, 1]
        for number in [arrays.count, 0, table] { bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
        return bytes
    }

    /// Arrays of the next one, so many times, and an empty one.
    private static func chain(_ count: UInt8, width: Int) -> [[UInt8]] {
        (1...count).map { Array(repeating: $0, count: width) } + [[]]
    }

    @Test func whatIsNotTooDeepLands() async throws {
        #expect(try await land(Self.xml(100)) == 100)
        #expect(try await land(Self.binary([[1, 2], [], [3], []])) == 4)
        #expect(try await land(Self.binary(Self.chain(99, width: 1))) == 100)
    }

    @Test func commentsInAListAreNoDepth() async throws {
        let note = "<!-- " + String(repeating: "<array>", count: 500) + " -->"
        #expect(try await land(Self.xml(2, note)) == 2)
    }

    private static let deep: [[UInt8]] = [
        Self.xml(10_000), Self.xml(10_000, open: "<array ><!-- </array> -->"), Self.xml(10_000, open: "<array a=\"/\">", close: ""),
        Self.xml(10_000, open: "<array a=\"/>\">", close: ""), Self.xml(10_000, open: "<array><?p </array> ?>", close: ""),
        Self.wide(Self.xml(10_000)), [0xFF, 0xFE] + Self.wide(Self.xml(10_000)),
        Array(String(repeating: "(", count: 100_000).utf8), Array("<!-->".utf8) + Self.xml(10_000),
        Self.xml(10_000, open: "<array><!DOCTYPE a [ </array> ]>"),
    ]

    @Test(arguments: deep.indices) func deepTextIsRefused(_ row: Int) async { #expect(await refused(Self.deep[row])?.code == .decodingFailed) }

    @Test(
        arguments: [
            [[0]], [[1], [0]], [[1, 2], [], [3], [2]], Self.chain(150, width: 1), Self.chain(60, width: 2), [[200]],
        ] as [[[UInt8]]])
    func binaryListsThatBlowUpAreRefused(arrays: [[UInt8]]) async {
        #expect(await refused(Self.binary(arrays))?.code == .decodingFailed)
    }

    @Test(arguments: [0, 7, 8, 39, 40])
    func cutListsAreRefused(count: Int) async {
        #expect(await refused(Array(Self.binary([[1], []]).prefix(count)))?.code == .decodingFailed)
    }

    /// Found by the fuzzer: Foundation on Linux ended the process at a set.
    @Test func aSetIsRefused() {
        let list: [UInt8] =
            Array("bplist00".utf8) + [0xC1, 0x01, 0x51, 0x61, 0x08, 0x0A] + [UInt8](repeating: 0, count: 6)
            + [1, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12]
        let error = #expect(throws: TarmacError.self) { try PropertyListCheck.data(Bytes(list)) { () throws(TarmacError) in "" } }
        #expect(error?.code == .decodingFailed)
    }
}
