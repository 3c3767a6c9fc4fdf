import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Concurrent misses share one request.
@Suite("Cache: concurrent misses", .timeLimit(.minutes(5)))
struct CacheMissTests {
    private let time = ManualTime(date: Date(timeIntervalSince1970: 1_767_225_600))
    private let recorder = EventRecorder()
    private let count = Watched(0)
    private static let fresh: HTTPFields = [.cacheControl: "max-age=60"]

    private struct GetNumber: Endpoint {
        typealias Value = Number
        static let route: Route = .get("/n")
    }

    /// Answers with the number of its answer.
    private func counting(_ headers: HTTPFields = [:]) -> StubTransport {
        StubTransport { [count] _ in
            let n = count.update {
                $0 += 1
                return $0
            }
            return .json(#"{"n":\#(n)}"#, headers: headers)
        }
    }

    private func client(_ stub: StubTransport, _ configure: (inout Options) -> Void) -> Client {
        Client(stub, time: time) {
            $0.observers = [recorder]
            configure(&$0)
        }
    }

    /// RFC 9111 §4: requests can be collapsed.
    @Test func concurrentMissesMakeOneRequest() async throws {
        let stub = counting(Self.fresh)
        stub.hold()
        let client = client(stub) { $0.cache = .http }
        let calls = (0..<50).map { _ in Task { try await client.landed(for: GetNumber()) } }
        await eventually { recorder.names.filter { $0 == "coalesced" }.count == 49 }
        stub.release()
        for call in calls { #expect(try await call.value.value.n == 1) }
        #expect(stub.requests.count == 1)
        #expect(recorder.names.filter { $0 == "cacheStored" }.count == 1)
    }

    /// A task for each miss would cost every call of a client with a cache.
    @Test func aStoredMissWithoutOtherCallersStaysInItsTask() async throws {
        let tasks = Watched<[Int?]>([])
        let stub = counting(Self.fresh)
        let client = client(stub) {
            $0.cache = .http
            $0.attemptInterceptors = [
                Intercepting { request, chain in
                    tasks.update { $0.append(withUnsafeCurrentTask { $0?.hashValue }) }
                    return try await chain.proceed(request)
                }
            ]
        }
        let own = withUnsafeCurrentTask { $0?.hashValue }
        _ = try await client.send(GetNumber())
        #expect(own != nil && tasks.value == [own])
        await eventually { recorder.names.contains("cacheStored") }
    }

    /// Other misses at the same time give none of them a task more.
    @Test func manyStoredMissesAtOnceStayInTheirTasks() async throws {
        let sending = Watched<[String: [Int?]]>([:]), stub = counting(Self.fresh)
        stub.hold()
        let client = client(stub) {
            $0.cache = .http
            $0.attemptInterceptors = [
                Intercepting { request, chain in
                    sending.update { $0[request.url.path, default: []].append(withUnsafeCurrentTask { $0?.hashValue }) }
                    return try await chain.proceed(request)
                }
            ]
        }
        let calls = (0..<64).map { number in
            Task {
                try await client.get("/\(number)")
                return withUnsafeCurrentTask { $0?.hashValue }
            }
        }
        try await stub.received(count: 64)
        stub.release()
        var own: [String: [Int?]] = [:]
        for (number, call) in calls.enumerated() { own["/\(number)"] = [try await call.value] }
        #expect(sending.value == own && !own.values.contains([nil]) && own.count == 64)
        await eventually { recorder.names.filter { $0 == "cacheStored" }.count == 64 }
    }

    /// The first call sends the request in its own task. The others do not depend on it.
    @Test(arguments: ["cancelled", "late"])
    func theOthersAskAgainIfTheFirstLeaves(how: String) async throws {
        let stub = counting(Self.fresh)
        stub.hold()
        let client = client(stub) { $0.cache = .http }
        let first = Task { try await client.send(GetNumber()) { if how == "late" { $0.deadline = .seconds(5) } } }
        try await stub.received(count: 1)
        let others = (0..<20).map { _ in Task { try await client.landed(for: GetNumber()) } }
        await eventually { recorder.names.filter { $0 == "coalesced" }.count == 20 }
        if how == "late" { time.advance(by: .seconds(5)) } else { first.cancel() }
        if case .failure(let error) = await first.result {
            #expect(how == "late" ? (error as? TarmacError)?.code == .deadlineExceeded : error is CancellationError)
        } else {
            Issue.record("the first call landed")
        }
        // One of them leads, and the others follow it.
        try await stub.received(count: 2)
        await eventually { recorder.names.filter { $0 == "coalesced" }.count == 39 }
        stub.release()
        for call in others { #expect(try await call.value.value.n == 1) }
        #expect(stub.requests.count == 2)
    }

    /// The limits of the first call, such as those of a prefetch, end no other.
    @Test(arguments: ["timeout", "queueTimeout", "retry"]) func theOthersGoOnWhereTheLimitsOfTheFirstEnd(limit: String) async throws {
        let answers = Watched(0)
        let stub = StubTransport { _ in
            let n = answers.update {
                $0 += 1
                return $0
            }
            return limit == "retry" && n == 1 ? .status(.serviceUnavailable) : .json(#"{"n":7}"#, headers: Self.fresh)
        }
        stub.hold()
        let client = Client(stub, concurrency: limit == "queueTimeout" ? 1 : 8, time: time) {
            ($0.observers, $0.cache, $0.timeout) = ([recorder], .http, .unlimited)
            $0.retry = .exponential(maxAttempts: 3, base: .zero)
        }
        let busy = limit == "queueTimeout" ? Task { try await client.get("/busy") } : nil
        if busy != nil { try await stub.received(count: 1) }
        let first = Task {
            try await client.get("/n", as: Number.self) {
                $0.retry = .never
                if limit == "timeout" { $0.timeout = .seconds(5) }
                if limit == "queueTimeout" { $0.queueTimeout = .seconds(5) }
            }
        }
        if limit == "retry" { try await stub.received(count: 1) } else { await eventually { time.nextDeadline == .seconds(5) } }
        let others = (0..<20).map { _ in Task { try await client.get("/n", as: Number.self) } }
        await eventually { recorder.names.filter { $0 == "coalesced" }.count == 20 }
        if limit == "retry" { stub.release(1) } else { time.advance(by: .seconds(5)) }
        await #expect(throws: TarmacError.self) { try await first.value }
        // One of them leads, and the others follow it.
        await eventually { recorder.names.filter { $0 == "coalesced" }.count == 39 }
        stub.release()
        for call in others { #expect(try await call.value.n == 7) }
        try await busy?.value
        #expect(stub.requests.count == 2)
    }

    /// A failure of the server is for all of them.
    @Test func aFailureOfTheFirstIsForAll() async throws {
        let stub = StubTransport { _ in .status(.internalServerError) }
        stub.hold()
        let client = client(stub) { $0.cache = .http }
        let calls = (0..<20).map { _ in Task { try await client.send(GetNumber()) } }
        await eventually { recorder.names.filter { $0 == "coalesced" }.count == 19 }
        stub.release()
        for call in calls {
            let error = await #expect(throws: TarmacError.self) { try await call.value }
            #expect(error?.status == .internalServerError && error?.attempts == 1)
        }
        #expect(stub.requests.count == 1)
    }

    /// RFC 9111 §5.2.2.4, §5.2.2.5: such an answer satisfies no other request, unless the app says that calls share.
    @Test(arguments: ["no-store", "no-cache"], [false, true])
    func anAnswerForOneRequestIsNotShared(directive: String, sharesAnyhow: Bool) async throws {
        let stub = counting([.cacheControl: directive])
        stub.hold()
        let client = client(stub) { ($0.cache, $0.coalesces) = (.http, sharesAnyhow) }
        let calls = (0..<5).map { _ in Task { try await client.send(GetNumber()).n } }
        await eventually { recorder.names.filter { $0 == "coalesced" }.count == 4 }
        stub.release()
        var numbers: Set<Int> = []
        for call in calls { numbers.insert(try await call.value) }
        #expect(numbers == (sharesAnyhow ? [1] : [1, 2, 3, 4, 5]))
    }
}
