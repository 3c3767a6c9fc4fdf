import Foundation
import HTTPTypes
import TarmacDigest
import TarmacTesting
import Testing

import Tarmac
import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacSupport
@testable import TarmacTransfer

@Suite("Downloads in ranges side by side", .timeLimit(.minutes(5)))
struct DownloadParallelTests {
    private let bytes = noise(50_000)
    private func stub(_ file: StubFile) -> StubTransport { StubTransport { file.answer($0) } }
    private static let four = DownloadRule { ($0.parallelRanges, $0.minimumRange) = (4, 1000) }

    @Test func aFirstRangeTellsTheLengthAndTheRestComesAtOnce() async throws {
        let file = StubFile(bytes), stub = self.stub(file)
        try await withFolder { folder in
            try await Client(stub) { $0.download = Self.four }.send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == bytes)
            #expect(names(folder) == ["f"])
        }
        #expect(stub.requests.count == 5)
        #expect(stub.requests.first?.headers[.range] == "bytes=0-999")
        #expect(file.bytesSent == 50_000)
        #expect(stub.requests.dropFirst().allSatisfy { $0.headers[.ifRange] == "\"1\"" })
    }

    @Test func rangesThatBreakOffGoOnEachByItself() async throws {
        let file = StubFile(bytes)
        file.breakOff(after: [500, 200, 4000, 3000, 100, 7000, 1])
        try await withFolder { folder in
            try await Client(self.stub(file)) { $0.download = Self.four }.send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == bytes)
        }
        #expect(file.bytesSent == 50_000)
    }

    @Test func whatIsTooSmallOrCannotBeCutComesInOne() async throws {
        let small = StubFile(Array(bytes[..<1500])), weak = StubFile(bytes, tag: "W/\"1\""), whole = StubFile(bytes), empty = StubFile([])
        whole.change { $0.sendsRanges = false }
        for (file, count, requests) in [(small, 1500, 2), (weak, 50_000, 2), (whole, 50_000, 1), (empty, 0, 2)] {
            let stub = self.stub(file)
            try await withFolder { folder in
                try await Client(stub) { $0.download = Self.four }.send(Download(.get("/"), to: "\(folder)/f"))
                #expect(content("\(folder)/f") == Array(bytes[..<count]))
            }
            #expect(stub.requests.count == requests)
        }
    }

    @Test func aFileThatChangesUnderwayComesAsAWhole() async throws {
        let file = StubFile(bytes), new = noise(40_000, seed: 9), count = Locked(0)
        let stub = StubTransport { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 3 { file.change { ($0.bytes, $0.tag) = (new, "\"2\"") } }
            return file.answer(request)
        }
        try await withFolder { folder in
            try await Client(stub) { $0.download = Self.four }.send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == new)
            #expect(names(folder) == ["f"])
        }
    }

    /// The number of bytes in all parts of the file.
    private func held(_ folder: String) -> Int { names(folder).reduce(0) { $0 + (content("\(folder)/\($1)")?.count ?? 0) } }

    /// Downloads with one client after another, as if each were a process of its own, until one brings the whole file.
    ///
    /// None loses bytes that another has written, and none is sent a byte that it holds. Bytes on their way to one range
    /// while another breaks off are sent again: they were never written.
    private func land(_ file: StubFile, in folder: String, times: Int, _ client: (_ time: Int) -> Client) async throws {
        var last: TarmacError?
        for time in 0..<times {
            let (before, sent) = (held(folder), file.bytesSent)
            do {
                try await client(time).send(Download(.get("/"), to: "\(folder)/f"))
                last = nil
            } catch let error as TarmacError { last = error }
            #expect(held(folder) >= before)
            #expect(file.bytesSent - sent <= Int64(bytes.count - before))
            if last == nil {
                #expect(file.bytesSent - sent == Int64(bytes.count - before))
                break
            }
        }
        #expect(last == nil)
        #expect(content("\(folder)/f") == bytes)
        #expect(names(folder) == ["f"])
    }

    @Test func anotherProcessGoesOnWithEachRange() async throws {
        let file = StubFile(bytes), store = MemoryTransferStore()
        file.breakOff(after: [100_000, 3000, 3000, 3000, 3000] + Array(repeating: 0, count: 12))
        try await withFolder { folder in
            let configure: (inout Options) -> Void = {
                $0.transferLedger = TransferLedger(store)
                $0.download = Self.four
                $0.resume = .automatic { $0.maxBarrenAttempts = 0 }
            }
            _ = await failure { try await Client(self.stub(file), configure: configure).send(Download(.get("/"), to: "\(folder)/f")) }
            #expect(names(folder).count > 1)
            try await land(file, in: folder, times: 20) { _ in Client(self.stub(file), configure: configure) }
        }
    }

    @Test func anotherProcessKeepsToTheRangesOfTheRecordWhateverItWouldCut() async throws {
        let file = StubFile(bytes), store = MemoryTransferStore()
        file.breakOff(after: [100_000, 3000, 3000, 3000, 3000] + Array(repeating: 0, count: 12))
        try await withFolder { folder in
            let counts = [4, 2, 16, 1] + Array(repeating: 3, count: 17)
            try await land(file, in: folder, times: counts.count) { time in
                Client(self.stub(file)) {
                    $0.transferLedger = TransferLedger(store)
                    $0.download = DownloadRule { ($0.parallelRanges, $0.minimumRange) = (counts[time], counts[time] == 2 ? 7000 : 1000) }
                    $0.resume = .automatic { $0.maxBarrenAttempts = 0 }
                }
            }
        }
    }

    @Test func whatLiesInThePlaceOfANewRangeIsNotTaken() async throws {
        let file = StubFile(bytes), stale = Data(noise(5000, seed: 9))
        try await withFolder { folder in
            let stub = StubTransport { request in
                if request.headers[.range] == "bytes=0-999", let part = names(folder).first(where: { $0.hasSuffix(".part") }) {
                    try stale.write(to: URL(filePath: "\(folder)/\(part)2"))
                }
                return file.answer(request)
            }
            try await Client(stub) { $0.download = Self.four }.send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == bytes)
            #expect(names(folder) == ["f"])
        }
    }

    /// Sends parts of a body, each once `step` returns.
    private func stream(_ parts: [[UInt8]], before step: @escaping @Sendable (Int) async throws -> Void) -> ByteStream {
        let index = Locked(0)
        return ByteStream(
            AsyncThrowingStream<Bytes, any Error>(unfolding: {
                let next = index.withLock { index in
                    defer { index += 1 }
                    return index
                }
                try await step(next)
                return next < parts.count ? Bytes(parts[next]) : nil
            }))
    }

    private struct NewTokens: Authenticator {
        func canRefresh(_ token: AccessToken?) -> Bool { true }
        func refresh(_ token: AccessToken?, in context: RefreshContext) -> AccessToken { AccessToken((token?.value ?? "") + "t") }
    }

    enum Again: Sendable, CaseIterable { case brokeOff, refused }

    /// A range is asked for again while the last one to begin is under way.
    @Test(arguments: Again.allCases) func aRangeThatIsAskedForAgainEndsNoOther(again: Again) async throws {
        let file = StubFile(bytes), asked = Watched(0), ended = Watched(0), hasBegun = Watched(false), bytes = bytes
        let stub = StubTransport { request in
            let number = asked.update { count in
                count += 1
                return count
            }
            let response = file.answer(request)
            guard (2...5).contains(number), case .part(let range, _)? = ContentRange(response.headers[.contentRange]) else { return response }
            let all = Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
            switch number {
            case 3:
                _ = try await hasBegun.wait { $0 }
                if again == .refused { return .stream(self.stream([]) { _ in }, status: .unauthorized, headers: [.wwwAuthenticate: "Bearer"]) }
                let part = self.stream([Array(all[..<100])]) { if $0 > 0 { throw TarmacError(.connectionLost, phase: .receiving, "the stub broke off") } }
                return .stream(part, status: .partialContent, headers: response.headers)
            case 5:
                _ = try await ended.wait { $0 == 2 }
                let whole = self.stream([Array(all[..<100]), Array(all[100...])]) {
                    if $0 == 1 {
                        hasBegun.update { $0 = true }
                        _ = try await asked.wait { $0 >= 6 }
                    }
                }
                return .stream(whole, status: .partialContent, headers: response.headers)
            default:
                let whole = self.stream([all]) { if $0 == 1 { ended.update { $0 += 1 } } }
                return .stream(whole, status: .partialContent, headers: response.headers)
            }
        }
        try await withFolder { folder in
            let client = Client(stub) {
                $0.download = Self.four
                $0.cache = .http
                $0.authenticator = .init(NewTokens())
            }
            try await client.send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == bytes)
        }
        #expect(asked.value == 6)
    }

    @Test func aRecordWhoseRangesDoNotFitTogetherIsNotSound() {
        var entity = RangeEntity([.eTag: "\"1\""], isWhole: false)
        entity.total = 100
        let table: [([(Int64, Int64, String)], Bool)] = [
            ([], true), ([(10, 50, "p1"), (50, 100, "p2")], true), ([(10, 50, "p1"), (51, 100, "p2")], false), ([(10, 50, "p1"), (50, 99, "p2")], false),
            ([(10, 50, "p1"), (50, 100, "p1")], false), ([(10, 50, "p"), (50, 100, "p2")], false), ([(-1, 50, "p1"), (50, 100, "p2")], false),
            ([(50, 50, "p1"), (50, 100, "p2")], false),
        ]
        for (ranges, isSound) in table {
            let segments = ranges.map { TransferRecord.Segment(start: $0.0, end: $0.1, partial: $0.2) }
            #expect(TransferRecord.DownloadState(entity: entity, partial: "p", segments: segments).isSound == isSound)
        }
    }

    /// Any of them is only a number in a file.
    @Test(arguments: [(nil, true), (0, true), (1 << 50, true), (-1, false), (.min, false), (.max, false), ((1 << 50) + 1, false)] as [(Int64?, Bool)])
    func aRecordWithALengthThatNoFileHasIsNotSound(total: Int64?, isSound: Bool) {
        var entity = RangeEntity([.eTag: "\"1\""], isWhole: false)
        entity.total = total
        #expect(TransferRecord.DownloadState(entity: entity, partial: "p").isSound == isSound)
    }

    @Test(arguments: [false, true])
    func theDigestOfEachAnswerIsHeldAgainstItsRange(isWrong: Bool) async throws {
        let file = StubFile(bytes), bytes = bytes, name = try #require(HTTPField.Name("Content-Digest"))
        let stub = StubTransport { request in
            var response = file.answer(request)
            guard case .part(let range, _)? = ContentRange(response.headers[.contentRange]) else { return response }
            let sent = isWrong && range.lowerBound > 20_000 ? [0] : Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
            response.headers[name] = DigestField.value(PublicHash.hash(sent), .sha256)
            return response
        }
        try await withFolder { folder in
            var code: TarmacError.Code?
            do {
                try await Client(stub) { $0.download = Self.four }.send(Download(.get("/"), to: "\(folder)/f"))
            } catch let error as TarmacError { code = error.code }
            #expect(code == (isWrong ? .digestMismatch : nil))
            #expect(content("\(folder)/f") == (isWrong ? nil : bytes))
            #expect(names(folder) == (isWrong ? [] : ["f"]))
        }
    }

    /// 49,000 bytes are missing behind the first answer, in ranges of 12,250; while one is put behind the others it is there twice.
    @Test(arguments: [(61_250, 5), (61_249, 2), (50_000, 2)] as [(Int64, Int)])
    func whereThereIsNoRoomToPutRangesTogetherTheFileComesInOne(free: Int64, requests: Int) async throws {
        let stub = self.stub(StubFile(bytes))
        try await withFolder { folder in
            let client = Client(stub) {
                $0.download = DownloadRule { ($0.parallelRanges, $0.minimumRange, $0.availableSpace) = (4, 1000, .fixed(free)) }
            }
            try await client.send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == bytes)
        }
        #expect(stub.requests.count == requests)
    }

    @Test func aPlanCutsIntoNearlyEqualRangesOfAtLeastTheMinimum() {
        let table: [(Int64, Int64, Int, Int64, [Int64])] = [
            (0, 100, 4, 10, [25, 25, 25, 25]), (10, 100, 4, 10, [22, 22, 22, 24]), (0, 100, 4, 40, [50, 50]), (0, 100, 4, 51, []), (0, 100, 1, 1, []),
            (100, 100, 4, 1, []), (0, 3, 16, 1, [1, 1, 1]),
        ]
        for (from, to, count, minimum, lengths) in table {
            let segments = SegmentPlan(from: from, to: to, count: count, minimum: minimum).segments(beside: "p")
            #expect(segments.map { $0.end - $0.start } == lengths)
            #expect(segments.isEmpty || segments.first?.start == from && segments.last?.end == to)
        }
    }

    @Test(arguments: [0, 17]) func howManyAtOnceIsBounded(count: Int) async throws {
        let client = Client(stub(StubFile(bytes)))
        let error = await failure { try await client.send(Download(.get("/"), to: "/f")) { $0.download = DownloadRule { $0.parallelRanges = count } } }
        #expect(error?.code == .invalidOption)
    }
}
