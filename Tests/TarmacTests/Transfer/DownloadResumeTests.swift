import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacTransfer

/// Downloads go on where they broke off (YTK-17, YTK-34), and never with bytes of another file.
@Suite("Downloads go on", .timeLimit(.minutes(5)))
struct DownloadResumeTests {
    private func stub(_ file: StubFile) -> StubTransport { StubTransport { file.answer($0) } }
    private func ranges(_ stub: StubTransport) -> [String?] { stub.requests.map { $0.headers[.range] } }
    private static let impatient = ResumeRule.automatic { $0.base = .zero }

    // YTK-17: after a break the rest alone is asked for.
    @Test func aDownloadSurvivesFiftyBreaksWithoutAskingForAByteTwice() async throws {
        let bytes = noise(100_000), file = StubFile(bytes), stub = self.stub(file)
        var generator = SeededGenerator(seed: 3)
        file.breakOff(after: (0..<50).map { _ in Int.random(in: 1...3000, using: &generator) })
        try await withFolder { folder in
            try await Client(stub).send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == bytes)
            #expect(names(folder) == ["f"])
        }
        #expect(stub.requests.count == 51)
        #expect(file.bytesSent == 100_000)
        #expect(stub.requests.dropFirst().allSatisfy { $0.headers[.ifRange] == "\"1\"" && $0.headers[.acceptEncoding] == "identity" })
    }

    @Test func aBreakBehindTheHeadIsNoEnd() async throws {
        let bytes = noise(5000), file = StubFile(bytes), stub = self.stub(file)
        file.breakOff(after: [0, 0, 2000])
        try await withFolder { folder in
            try await Client(stub) { $0.resume = Self.impatient }.send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == bytes)
        }
        #expect(ranges(stub) == [nil, nil, nil, "bytes=2000-"])
    }

    @Test func aFileThatChangedMeanwhileComesAsAWhole() async throws {
        let old = noise(5000), new = noise(7000, seed: 8), file = StubFile(old), stub = self.stub(file)
        file.breakOff(after: [3000])
        let changing = StubTransport { request in
            if request.headers.contains(.range) { file.change { ($0.bytes, $0.tag) = (new, "\"2\"") } }
            return file.answer(request)
        }
        try await withFolder { folder in
            let landed = try await Client(changing).send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == new)
            #expect(landed.response.status == .ok)
        }
        #expect(stub.requests.isEmpty)
    }

    @Test func aServerWithoutRangesIsAskedAgainAndGivenUpOn() async throws {
        let bytes = noise(5000), file = StubFile(bytes)
        file.change { $0.sendsRanges = false }
        file.breakOff(after: [3000, 2000])
        try await withFolder { folder in
            try await Client(self.stub(file)) { $0.resume = Self.impatient }.send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == bytes)
            file.breakOff(after: Array(repeating: 3000, count: 20))
            let stub = self.stub(file)
            let error = await failure { try await Client(stub) { $0.resume = Self.impatient }.send(Download(.get("/"), to: "\(folder)/f")) }
            #expect(error?.code == .connectionLost)
            // The first, and five that brought nothing new.
            #expect(stub.requests.count == 7)
            #expect(content("\(folder)/f") == bytes)
            #expect(names(folder) == ["f"])
        }
    }

    static let unusable: [HTTPFields] = [
        [.contentRange: "bytes 2999-4999/5000"], [.contentRange: "items 3000-4999/5000"], [:], [.contentRange: "bytes 3000-4999/6000"],
        [.contentRange: "bytes 3000-5000/5001"], [.contentRange: "bytes 4999-3000/5000"], [.contentRange: "bytes 3000-4999/5000", .contentEncoding: "gzip"],
        [.contentRange: "bytes 3000-4999/5000", .eTag: "\"2\""], [.contentRange: "bytes 3000-4999/5000", .contentType: "multipart/byteranges; boundary=x"],
        [.contentRange: "bytes */5000"], [.contentRange: "bytes 3000-4999/4000"],
    ]

    @Test(arguments: unusable)
    func aPartThatDoesNotFitIsDroppedForTheWhole(fields: HTTPFields) async throws {
        let bytes = noise(5000), file = StubFile(bytes)
        file.breakOff(after: [3000])
        let stub = StubTransport { request in
            request.headers.contains(.range) ? .bytes(Bytes(noise(2000)), status: .partialContent, headers: fields) : file.answer(request)
        }
        try await withFolder { folder in
            try await Client(stub).send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == bytes)
        }
        #expect(ranges(stub) == [nil, "bytes=3000-", nil])
    }

    @Test func aPartNobodyAskedForIsRefused() async throws {
        try await withFolder { folder in
            let client = Client(StubTransport { _ in .text("part", status: .partialContent, headers: [.contentRange: "bytes 0-3/9"]) })
            let error = await failure { try await client.send(Download(.get("/"), to: "\(folder)/f")) }
            #expect(error?.code == .unacceptableStatus && error?.status == .partialContent)
            #expect(names(folder) == [])
        }
    }

    @Test func aRangeThatEndsEarlyIsFollowedByTheNext() async throws {
        let bytes = noise(5000), file = StubFile(bytes)
        file.breakOff(after: [1000])
        let stub = StubTransport { request in
            var request = request
            if let range = request.headers[.range], let start = Int(range.dropFirst(6).dropLast()) { request.headers[.range] = "bytes=\(start)-\(start + 999)" }
            return file.answer(request)
        }
        try await withFolder { folder in
            try await Client(stub).send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == bytes)
        }
        #expect(stub.requests.count == 5)
    }

    @Test(arguments: [true, false])
    func whereTheLengthIsUnknownA416SaysThatTheFileIsWhole(isWhole: Bool) async throws {
        let bytes = noise(5000), file = StubFile(bytes)
        file.change { $0.statesLength = false }
        // The body breaks behind its last byte, or the file has become shorter than what is there.
        file.breakOff(after: [5000])
        let stub = StubTransport { request in
            if !isWhole, request.headers.contains(.range) { file.change { $0.bytes = Array(bytes[..<4000]) } }
            return file.answer(request)
        }
        try await withFolder { folder in
            let landed = try await Client(stub).send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == (isWhole ? bytes : Array(bytes[..<4000])))
            #expect(landed.response.status == (isWhole ? .rangeNotSatisfiable : .ok))
        }
        #expect(ranges(stub) == (isWhole ? [nil, "bytes=5000-"] : [nil, "bytes=5000-", nil]))
    }

    static let sunday = "Sun, 06 Nov 1994 08:49:37 GMT", later = "Sun, 06 Nov 1994 08:49:38 GMT"
    static let validators: [(tag: String?, fields: HTTPFields, asked: String?)] = [
        ("\"1\"", [:], "\"1\""), ("W/\"1\"", [:], nil), ("1", [:], nil), ("\"1\"2\"", [:], nil), (nil, [:], nil),
        (nil, [.lastModified: sunday, .date: later], sunday), (nil, [.lastModified: sunday, .date: sunday], nil), (nil, [.lastModified: sunday], nil),
        ("W/\"1\"", [.lastModified: sunday, .date: later], nil),
    ]

    @Test(arguments: validators)
    func onlyAStrongValidatorLetsADownloadGoOn(tag: String?, fields: HTTPFields, asked: String?) async throws {
        let bytes = noise(5000), file = StubFile(bytes, tag: tag, fields: fields), stub = self.stub(file)
        file.breakOff(after: [3000])
        try await withFolder { folder in
            let client = Client(stub)
            if let asked {
                try await client.send(Download(.get("/"), to: "\(folder)/f"))
                #expect(content("\(folder)/f") == bytes)
                #expect(stub.requests.last?.headers[.ifRange] == asked)
            } else {
                let error = await failure { try await client.send(Download(.get("/"), to: "\(folder)/f")) }
                #expect(error?.code == .connectionLost)
                #expect(names(folder) == [])
                #expect(stub.requests.count == 1)
            }
        }
    }

    @Test func whatMayNotGoOnDoesNot() async throws {
        let calls: [(InlineEndpoint<Void>, ResumeRule, HTTPFields)] = [
            (.get("/"), .never, [:]), (.post("/", body: .text("x")), .automatic, [:]), (.get("/"), .automatic, [.range: "bytes=10-"]),
        ]
        for (endpoint, rule, fields) in calls {
            let file = StubFile(noise(5000)), stub = self.stub(file)
            file.breakOff(after: [3000])
            try await withFolder { folder in
                let error = await failure {
                    try await Client(stub).send(Download(endpoint, to: "\(folder)/f")) {
                        $0.resume = rule
                        for field in fields { $0.headers[field.name.rawName] = field.value }
                    }
                }
                #expect(error?.attempts == 1)
                #expect(names(folder) == [])
            }
        }
    }

    /// The caller accepts 200 alone, and the download asks for the rest by a Range of its own.
    @Test(arguments: [1, 4])
    func aPartIsAcceptableWhereTheWholeIs(ranges: Int) async throws {
        let bytes = noise(50_000), file = StubFile(bytes), stub = self.stub(file)
        file.breakOff(after: [3000])
        try await withFolder { folder in
            try await Client(stub).send(Download(.get("/"), to: "\(folder)/f")) {
                $0.acceptableStatus = AcceptableStatus([200])
                $0.download = DownloadRule { ($0.parallelRanges, $0.minimumRange) = (ranges, 5000) }
            }
            #expect(content("\(folder)/f") == bytes)
        }
        #expect(file.bytesSent == 50_000)
    }

    /// The time limit of an attempt is for the head; what comes behind it may take as long as it comes on.
    @Test func aPartMayTakeItsTimeAsTheWholeMay() async throws {
        let bytes = noise(5000), file = StubFile(bytes), time = ManualTime(), gate = Watched(false), isWaiting = Watched(false)
        file.breakOff(after: [3000])
        let stub = StubTransport { request in
            var response = file.answer(request)
            guard request.headers.contains(.range), case .stream(let rest) = response.body else { return response }
            response.body = .stream(ByteStream { Gated(rest, gate: gate, isWaiting: isWaiting) })
            return response
        }
        try await withFolder { folder in
            let client = Client(stub, time: time) { ($0.timeout, $0.idleTimeout, $0.connectTimeout) = (.seconds(60), .unlimited, .unlimited) }
            let call = Task { try await client.send(Download(.get("/"), to: "\(folder)/f")) { $0.acceptableStatus = AcceptableStatus([200]) } }
            try await isWaiting.wait { $0 }
            time.advance(by: .seconds(61))
            await eventually { time.sleepers == 0 }
            gate.update { $0 = true }
            _ = try await call.value
            #expect(content("\(folder)/f") == bytes)
        }
        #expect(stub.requests.count == 2)
    }

    /// The old file stays, and so does what has come: a later call goes on with it.
    @Test(arguments: [201, 202, 204], [1, 4])
    func aSuccessThatIsNoAnswerToARangeIsNoFile(status: Int, ranges: Int) async throws {
        let bytes = noise(50_000), file = StubFile(bytes), isAway = Locked(true)
        file.breakOff(after: [3000])
        let stub = StubTransport { request in
            let isRest = request.headers[.range].map { !$0.hasPrefix("bytes=0-") } ?? false
            return isRest && isAway.withLock { $0 } ? .status(.init(code: status)) : file.answer(request)
        }
        try await withFolder { folder in
            try Data("old".utf8).write(to: URL(filePath: "\(folder)/f"))
            let client = Client(stub) {
                $0.transferLedger = .folder("\(folder)/ledger")
                $0.download = DownloadRule { ($0.parallelRanges, $0.minimumRange) = (ranges, 5000) }
                $0.resume = Self.impatient
            }
            let error = await failure { try await client.send(Download(.get("/"), to: "\(folder)/f")) }
            #expect(error?.code == .unacceptableStatus)
            #expect(error?.status?.code == status)
            #expect(content("\(folder)/f") == Array("old".utf8))
            isAway.withLock { $0 = false }
            try await client.send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == bytes)
        }
        #expect(file.bytesSent == 50_000)
    }

    @Test func aProxysWholeIsAFile() async throws {
        let bytes = noise(5000), file = StubFile(bytes)
        file.breakOff(after: [3000])
        let stub = StubTransport { request in
            let whole = Response.bytes(Bytes(noise(4000)), status: .nonAuthoritativeInformation, headers: [.contentLength: "4000"])
            return request.headers.contains(.range) ? whole : file.answer(request)
        }
        try await withFolder { folder in
            try await Client(stub).send(Download(.get("/"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == noise(4000))
        }
    }

    @Test func aCallersOwnRangeIsJudgedByHisWord() async throws {
        let file = StubFile(noise(5000)), stub = self.stub(file)
        try await withFolder { folder in
            let error = await failure {
                try await Client(stub).send(Download(.get("/"), to: "\(folder)/f")) {
                    $0.acceptableStatus = AcceptableStatus([200])
                    $0.headers["Range"] = "bytes=10-"
                }
            }
            #expect(error?.status == .partialContent)
        }
    }

    @Test func serversThatAreDownForAWhileAreWaitedFor() async throws {
        let bytes = noise(5000), file = StubFile(bytes), time = ManualTime(), count = Locked(0)
        file.breakOff(after: [3000])
        let stub = StubTransport { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return (2...4).contains(number) ? .status(.serviceUnavailable) : file.answer(request)
        }
        try await withFolder { folder in
            // No other time limit may sleep beside the pauses.
            let client = Client(stub, time: time) { ($0.timeout, $0.idleTimeout, $0.connectTimeout) = (.unlimited, .unlimited, .unlimited) }
            let call = Task { try await client.send(Download(.get("/"), to: "\(folder)/f")) }
            for _ in 0..<3 {
                try await time.hasSleepers()
                time.advance(by: .seconds(61))
            }
            _ = try await call.value
            #expect(content("\(folder)/f") == bytes)
        }
        #expect(stub.requests.count == 5)
    }
}

/// A body whose bytes wait for the gate.
private final class Gated: ByteStreamSource {
    // SAFETY: a ByteStream has one reader, which awaits each `next()` before the following one.
    private nonisolated(unsafe) var rest: ByteStream.Iterator
    private let gate: Watched<Bool>
    private let isWaiting: Watched<Bool>

    init(_ stream: ByteStream, gate: Watched<Bool>, isWaiting: Watched<Bool>) {
        rest = stream.makeAsyncIterator()
        (self.gate, self.isWaiting) = (gate, isWaiting)
    }

    func next() async throws -> Bytes? {
        isWaiting.update { $0 = true }
        try await gate.wait { $0 }
        return try await rest.next()
    }
}
