import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCache
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacStreams
import TarmacSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A server whose body and validators change, and that does with ranges what servers do: right, wrong or not at all.
///
/// Each version has bytes of its own, so bytes of two versions are never taken for one.
private final class ChangingServer: Sendable {
    enum Validator: CaseIterable {
        case strongTag, weakTag, oldDate, recentDate, none
    }
    struct Version: Sendable {
        let number: Int
        let bytes: [UInt8]
        let validator: Validator
        let date: Double

        var tag: String? {
            switch validator {
            case .strongTag: "\"\(number)\""
            // The same for all versions: it says nothing about bytes.
            case .weakTag: "W/\"same\""
            default: nil
            }
        }
        func lastModified(_ now: Double) -> String? {
            switch validator {
            case .oldDate: HTTPDateText.of(Date(timeIntervalSince1970: date))
            // The same for all versions of the last seconds.
            case .recentDate: HTTPDateText.of(Date(timeIntervalSince1970: (now / 10).rounded(.down) * 10))
            default: nil
            }
        }
    }
    struct State {
        var random: SeededGenerator
        var versions: [Version] = []
        var joins = 0
        var breaks = 0
    }
    let state: Watched<State>
    let time: ManualTime
    static let number = HTTPField.Name("Version") ?? .server

    init(seed: UInt64, _ time: ManualTime) {
        state = Watched(State(random: SeededGenerator(seed: seed)))
        self.time = time
        change()
    }

    func change() {
        let now = time.date.timeIntervalSince1970
        state.update { state in
            let number = state.versions.count, length = Int.random(in: 50...300, using: &state.random)
            let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &state.random) }
            // Strong ones more often: the others are never joined.
            let validator = (Validator.allCases + [.strongTag, .strongTag, .oldDate]).randomElement(using: &state.random) ?? .none
            // Days apart, as versions with such dates are.
            let date = now - 1e7 + Double(number) * 86_400
            state.versions.append(Version(number: number, bytes: bytes, validator: validator, date: date))
        }
    }

    func answer(_ request: Request) -> Response {
        let now = time.date.timeIntervalSince1970
        return state.update { state in
            guard let version = state.versions.last else { return .status(.notFound) }
            var headers: HTTPFields = [:]
            headers[.eTag] = version.tag
            headers[.lastModified] = version.lastModified(now)
            headers[.date] = HTTPDateText.of(time.date)
            headers[.cacheControl] = "max-age=\([0, 5, 50, 50].randomElement(using: &state.random) ?? 0)"
            if Self.isKnown(request.headers, headers) { return .status(.notModified, headers: headers) }
            headers[Self.number] = "\(version.number)"
            let total = Int64(version.bytes.count)
            var bytes = 0..<total
            if let range = ByteRange(request.headers), Self.holds(request.headers[.ifRange], headers), Int.random(in: 0..<30, using: &state.random) > 0 {
                guard let asked = range.bytes(of: total) else {
                    return .status(.rangeNotSatisfiable, headers: [.contentRange: "bytes */\(total)"])
                }
                bytes = asked
                // Less than was asked for is allowed.
                if Int.random(in: 0..<6, using: &state.random) == 0 {
                    bytes = asked.lowerBound..<Int64.random(in: asked.lowerBound + 1...asked.upperBound, using: &state.random)
                }
                headers[.contentRange] = Int.random(in: 0..<12, using: &state.random) == 0 ? "bytes 0-/x" : ReceivedRange.text(bytes, of: total)
                if request.headers.contains(.ifRange) { state.joins += 1 }
            }
            let isPart = headers.contains(.contentRange)
            headers[.contentLength] = "\(bytes.count)"
            let content = Array(version.bytes[Int(bytes.lowerBound)..<Int(bytes.upperBound)])
            let cut = Int.random(in: 0..<4, using: &state.random) == 0 ? Int.random(in: 0...content.count, using: &state.random) : nil
            if cut != nil { state.breaks += 1 }
            let size = Int.random(in: 1...60, using: &state.random)
            return .stream(ByteStream { CutSource(content, cut: cut, size: size) }, status: isPart ? .partialContent : .ok, headers: headers)
        }
    }

    private static func isKnown(_ request: HTTPFields, _ own: HTTPFields) -> Bool {
        if let tags = request[.ifNoneMatch] { return own[.eTag].map { own in EntityTag.list([tags]).contains { $0.isAlike(EntityTag(own)) } } ?? false }
        guard let since = request[.ifModifiedSince].flatMap({ HTTPDate.seconds($0, currentYear: 2026) }) else { return false }
        // A date of just now is no reason for a 304: it may be that of two versions.
        return own[.lastModified].flatMap { HTTPDate.seconds($0, currentYear: 2026) }.map { $0 <= since && $0 < 1_767_000_000 } ?? false
    }

    /// RFC 9110 §13.1.5.
    private static func holds(_ condition: String?, _ own: HTTPFields) -> Bool {
        guard let condition else { return true }
        if let tag = own[.eTag] { return EntityTag(tag).isStrong && tag == condition }
        return own[.lastModified] == condition
    }
}

/// Bytes in chunks, and perhaps an error before their end.
private final class CutSource: ByteStreamSource {
    private let rest: Watched<ArraySlice<UInt8>>
    private let isCut: Bool
    private let size: Int

    init(_ bytes: [UInt8], cut: Int?, size: Int) {
        (rest, isCut) = (Watched(bytes.prefix(cut ?? bytes.count)), cut != nil)
        self.size = size
    }

    func next() async throws -> Bytes? {
        let chunk = rest.update { rest in
            defer { rest = rest.dropFirst(size) }
            return rest.prefix(size)
        }
        if !chunk.isEmpty { return Bytes(Array(chunk)) }
        if isCut { throw TarmacError(.connectionLost, phase: .receiving, "the test breaks it") }
        return nil
    }
}

@Suite("Parts of a changing body", .timeLimit(.minutes(5)))
struct CachePartModelTests {
    /// Whatever is asked, and whatever is stored: the bytes of an answer are those of one version, and those it says they are.
    @Test(arguments: 0..<16) func theBytesAreThoseOfOneVersion(seed: UInt64) async throws {
        let time = ManualTime(date: Date(timeIntervalSince1970: 1_767_225_600)), server = ChangingServer(seed: seed, time)
        var random = SeededGenerator(seed: seed &+ 1000)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-model-\(UInt64.random(in: .min ... .max))").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // One writes at once, the other behind.
        let store: any CacheStore = seed.isMultiple(of: 2) ? MemoryCacheStore() : try FileCacheStore(folder: folder)
        let client = Client(StubTransport { server.answer($0) }, time: time) { ($0.cache, $0.cacheStore, $0.retry) = (.http, .store(store), .never) }
        var hits = 0, joined = 0
        for step in 0..<125 {
            if Int.random(in: 0..<20, using: &random) == 0 { server.change() }
            if Int.random(in: 0..<4, using: &random) == 0 { time.advance(by: .seconds(Int.random(in: 1...20, using: &random))) }
            let call = Self.call(&random, server.state.value.versions)
            let answer = call.isStreamed ? await Self.stream(client, call) : await Self.collect(client, call)
            guard let answer else { continue }
            let note = Comment(rawValue: "step \(step) of \(seed): \(call) → \(answer.status) \(answer.headers[.contentRange] ?? "")")
            let number = try #require(answer.headers[ChangingServer.number].flatMap { Int($0) }, note)
            let version = server.state.value.versions[number]
            let range = ReceivedRange(answer.headers)
            // Garbage of the server's, delivered as it came.
            if range == nil, answer.status == 206 { continue }
            let expected = range.map { $0.bytes } ?? 0..<Int64(version.bytes.count)
            #expect(range.map { $0.total == Int64(version.bytes.count) } ?? (answer.status == 200), note)
            guard expected.upperBound <= Int64(version.bytes.count) else { continue }
            let right = Array(version.bytes[Int(expected.lowerBound)..<Int(expected.upperBound)])
            #expect(answer.isComplete ? answer.bytes == right : right.starts(with: answer.bytes), note)
            if answer.isComplete, let range, let wanted = call.range.flatMap({ ByteRange([.range: $0])?.bytes(of: range.total) }) {
                // The server may send less, and the cache only what was asked for.
                #expect(range.offset == wanted.lowerBound && range.bytes.upperBound <= wanted.upperBound, note)
            }
            let status = answer.headers[.cacheStatus] ?? ""
            if status.contains("hit") { hits += 1 }
            if status.contains("fwd=partial; fwd-status=206") { joined += 1 }
        }
        await client.shutdown()
        // The model is worth its time only if all of it happens. What a store has written so far is a matter of time.
        if store.isDurable { return }
        #expect(hits > 20 && joined > 0 && server.state.value.breaks > 2, "\(hits) hits, \(joined) joined")
    }

    struct Call: CustomStringConvertible {
        var range: String?
        var ifRange: String?
        var rule: CacheRule?
        var isStreamed = false
        var description: String { "\(range ?? "all") \(ifRange ?? "") \(rule?.description ?? "") \(isStreamed ? "streamed" : "")" }

        func configure(_ options: inout Options) {
            options.headers["Range"] = range
            options.headers["If-Range"] = ifRange
            options.cache = rule
            options.acceptableStatus = .any
        }
    }

    struct Answer {
        let status: Int
        let headers: HTTPFields
        let bytes: [UInt8]
        let isComplete: Bool
    }

    private static func call(_ random: inout SeededGenerator, _ versions: [ChangingServer.Version]) -> Call {
        var call = Call(isStreamed: .random(using: &random))
        // Mostly within the body that the server has now.
        let length = versions.last?.bytes.count ?? 1, first = Int.random(in: 0..<length + length / 10, using: &random)
        let last = first + Int.random(in: 0...length / 3, using: &random)
        switch Int.random(in: 0..<30, using: &random) {
        case 0: break
        case 1: call.range = "bytes=\(first)-"
        case 2: call.range = "bytes=-\(last - first + 1)"
        default: call.range = "bytes=\(first)-\(last)"
        }
        if call.range != nil, Int.random(in: 0..<6, using: &random) == 0 { call.ifRange = versions.randomElement(using: &random)?.tag }
        switch Int.random(in: 0..<12, using: &random) {
        case 0: call.rule = .reload
        case 1: call.rule = .revalidate
        case 2: call.rule = .cachedElseLoad
        default: break
        }
        return call
    }

    /// The answer, or `nil` if there is none or it has no bytes of a version.
    private static func collect(_ client: Client, _ call: Call) async -> Answer? {
        var headers = HTTPFields()
        (headers[.range], headers[.ifRange]) = (call.range, call.ifRange)
        guard let url = try? HTTPURL("https://s.example/t"),
            let response = try? await client.send(
                raw: Request(.get, url, headers: headers), configure: { ($0.cache, $0.acceptableStatus) = (call.rule, .any) }),
            [200, 206].contains(response.status.code), let body = response.body.collected
        else { return nil }
        return Answer(status: response.status.code, headers: response.headers, bytes: body.array, isComplete: true)
    }

    private static func stream(_ client: Client, _ call: Call) async -> Answer? {
        let head = Watched<(Int, HTTPFields)?>(nil), bytes = Watched<[UInt8]>([])
        var isComplete = true
        do {
            try await client.stream(.get("/t", as: String.self), configure: { call.configure(&$0) }) { response in
                head.update { $0 = (response.status.code, response.headers) }
                for try await chunk in response.body { bytes.update { $0 += chunk.array } }
            }
        } catch { isComplete = false }
        guard let (status, headers) = head.value, status == 200 || status == 206 else { return nil }
        return Answer(status: status, headers: headers, bytes: bytes.value, isComplete: isComplete)
    }
}
