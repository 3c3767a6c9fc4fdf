import Foundation
@testable import TarmacCallLog
@_spi(TarmacRooms) import TarmacCore
import Testing

@testable import TarmacInspector

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct InspectorServerTests {
    private func status(_ url: String, method: String = "GET", _ headers: [String: String] = [:]) async throws -> (Int, String, String) {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await URLSession.shared.data(for: request)
        let http = try #require(response as? HTTPURLResponse)
        return (http.statusCode, String(decoding: data, as: UTF8.self), http.value(forHTTPHeaderField: "Content-Security-Policy") ?? "")
    }

    @Test func onlyTheURLOfTheInspectorOpensThePage() async throws {
        let inspector = try await Inspector(CallLog(), allowsReleaseBuilds: true)
        let (code, page, policy) = try await status(inspector.url)
        #expect(code == 200 && page.contains("<title>Tarmac</title>") && policy.contains("script-src 'nonce-"))
        let address = try #require(inspector.url.split(separator: "?").first), token = try #require(inspector.url.split(separator: "=").last)
        #expect(!page.contains(token))
        #expect(try await status(String(address)).0 == 401)
        #expect(try await status("\(address)api/calls").0 == 401)
        #expect(try await status("\(address)api/calls", ["X-Tarmac-Token": String(token)]).1 == "[]")
        #expect(try await status("\(address)?token=\(token)", method: "PUT").0 == 405)
        await inspector.stop()
    }

    @Test func addressIsOfThisMachineAlone() async throws {
        let inspector = try await Inspector(CallLog(), allowsReleaseBuilds: true)
        #expect(inspector.url.hasPrefix("http://127.0.0.1:") && inspector.listening == .loopback)
        let token = try #require(inspector.url.split(separator: "=").last)
        var shown = "\(inspector)"
        dump(inspector, to: &shown)
        #expect(!shown.contains(token))
        await inspector.stop()
    }

    @Test func portThatIsTakenIsTold() async throws {
        let inspector = try await Inspector(CallLog(), allowsReleaseBuilds: true)
        let port = try #require(UInt16(inspector.url.split(separator: ":")[2].prefix { $0.isNumber }))
        await #expect(throws: TarmacError.self) { _ = try await Inspector(CallLog(), port: port, allowsReleaseBuilds: true) }
        await inspector.stop()
    }

    /// The body of a refused request is not read, and must not become the next request.
    @Test(arguments: [
        "Content-Length: 70000", "Content-Length: 5000000", "Transfer-Encoding: chunked",
    ])
    func connectionEndsAfterABodyThatIsNotRead(field: String) async throws {
        let inspector = try await Inspector(CallLog(), allowsReleaseBuilds: true)
        let port = try #require(UInt16(inspector.url.split(separator: ":")[2].prefix { $0.isNumber }))
        let token = try #require(inspector.url.split(separator: "=").last)
        let head = "POST /api/clear HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nX-Tarmac-Token: \(token)\r\n\(field)\r\n\r\n"
        let received = try await RawConnection.exchange(head, port: port)
        #expect(received.hasPrefix("HTTP/1.1 41"), "\(received)")
        #expect(received.split(separator: "HTTP/1.1 ", omittingEmptySubsequences: true).count == 1)
        #expect(received.lowercased().contains("connection: close"))
        await inspector.stop()
    }

    @Test func strangerGetsOneAnswerPerConnection() async throws {
        let inspector = try await Inspector(CallLog(), allowsReleaseBuilds: true)
        let port = try #require(UInt16(inspector.url.split(separator: ":")[2].prefix { $0.isNumber }))
        let head = "GET /api/calls HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
        let received = try await RawConnection.exchange(head + head, port: port)
        #expect(received.hasPrefix("HTTP/1.1 401") && received.contains("\"wrongToken\""))
        #expect(received.split(separator: "HTTP/1.1 ", omittingEmptySubsequences: true).count == 1)
        await inspector.stop()
    }

    /// The head is read before the token is checked.
    @Test(arguments: [("GET /?", 40_000), ("GET / HTTP/1.1\r\nX: ", 40_000), ("", 400_000)])
    func longHeadIsNotRead(start: String, count: Int) async throws {
        let inspector = try await Inspector(CallLog(), allowsReleaseBuilds: true)
        let port = try #require(UInt16(inspector.url.split(separator: ":")[2].prefix { $0.isNumber }))
        // The server may reset the connection while the rest of the head is on its way.
        let received = try? await RawConnection.exchange(start + String(repeating: "a", count: count), port: port)
        #expect(received.map { $0.isEmpty || $0.hasPrefix("HTTP/1.1 431") } ?? true, "\(received ?? "")")
        // The next connection is answered.
        #expect(try await status(inspector.url).0 == 200)
        await inspector.stop()
    }

    /// Nothing is unread then, so that the answer arrives.
    @Test func aHeadOfOneByteTooManyIsAnswered431() async throws {
        let inspector = try await Inspector(CallLog(), allowsReleaseBuilds: true)
        let port = try #require(UInt16(inspector.url.split(separator: ":")[2].prefix { $0.isNumber }))
        func answer(_ count: Int, _ end: String) async throws -> String {
            let start = "GET / HTTP/1.1\r\nX: "
            return try await RawConnection.exchange(start + String(repeating: "a", count: count - start.utf8.count - end.utf8.count) + end, port: port)
        }
        #expect(try await answer(RequestHead.longest + 1, "").hasPrefix("HTTP/1.1 431"))
        #expect(try await !answer(RequestHead.longest, "\r\n\r\n").hasPrefix("HTTP/1.1 431"))
        await inspector.stop()
    }

    @Test(arguments: ["\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/2\r\n\r\n", "GET / HTTP/1.1\r\nno field\r\n\r\n", "GET / HTTP/1.1\r\n folded: x\r\n\r\n"])
    func headThatIsNoneIsRefused(head: String) async throws {
        let inspector = try await Inspector(CallLog(), allowsReleaseBuilds: true)
        let port = try #require(UInt16(inspector.url.split(separator: ":")[2].prefix { $0.isNumber }))
        #expect(try await RawConnection.exchange(head, port: port).hasPrefix("HTTP/1.1 400"))
        await inspector.stop()
    }

    /// Each byte is searched once, however the head arrives.
    @Test(arguments: ["\r\n\r\n", "\n\n", "\r\n\n", "\n\r\n"]) func headEndsAtItsFirstEmptyLine(end: String) {
        let head = Array("GET /a HTTP/1.1\r\nHost: a\(end)".utf8), all = head + Array("body\r\n\r\n".utf8)
        #expect(RequestHead.end(in: all, from: 0) == head.count)
        for count in 0..<head.count {
            #expect(RequestHead.end(in: Array(all[..<count]), from: 0) == nil)
            #expect(RequestHead.end(in: all, from: count) == head.count, "\(count)")
        }
    }

    @Test func headIsReadAsItIsWritten() throws {
        let head = "GET /api/search?text=a%20b+c%2&id=7&id=8&flag HTTP/1.1\r\nHost: h\r\nX-A:\t1 \r\nx-a: 2\r\nContent-Length: 12\r\nConnection: Close\r\n\r\n"
        let request = try #require(RequestHead.request(Array(head.utf8)))
        #expect(request.method == "GET" && request.path == "/api/search" && request.header("x-a") == "1, 2" && request.host == "h")
        #expect(request.query("text") == "a b+c%2" && request.query("id") == nil && request.query("flag") == "")
        #expect(request.bodyLength == 12 && request.endsConnection)
        let query = RequestHead.request(Array("GET /?a=%+1&b%41=%C3%A9%2 HTTP/1.1\r\n\r\n".utf8))
        #expect(query?.query("a") == "%+1" && query?.query("bA") == "\u{E9}%2")
        #expect(RequestHead.request(Array("GET / HTTP/1.0\r\n\r\n".utf8))?.endsConnection == true)
        #expect(RequestHead.request(Array("GET / HTTP/1.1\r\nContent-Length: -5\r\n\r\n".utf8))?.bodyLength == 0)
    }

    @Test func boundedNumberOfConnectionsWaits() throws {
        let places = WaitingPlaces(most: 3, mostOfOne: 2)
        let entered = ["a", "a", "a", "b", "b", "c"].map { places.enter($0, givingWay: nil) }
        #expect(entered.map { $0 != nil } == [true, true, false, true, false, false])
        places.leave("a", try #require(entered[0]))
        let next = ["c", "a"].map { places.enter($0, givingWay: nil) != nil }
        #expect(next == [true, false])
    }

    /// A stranger on this machine who opens connections and says nothing must not lock the developer's own page out.
    @Test func connectionThatWaitedLongestForARequestGivesWay() {
        let places = WaitingPlaces(most: 4, mostOfOne: 3), gone = Locked<[Int]>([])
        for number in 0..<5 {
            let giveWay: @Sendable () -> Void = { gone.withLock { $0.append(number) } }
            // The second one takes an answer.
            #expect(places.enter("a", givingWay: number == 1 ? nil : giveWay) != nil)
        }
        #expect(gone.withLock { $0 } == [0, 2])
        // Those of another machine stay.
        #expect(places.enter("b", givingWay: {}) != nil)
        #expect(places.enter("c", givingWay: {}) == nil)
        #expect(gone.withLock { $0 } == [0, 2])
    }

    @Test func idleConnectionsDoNotLockThePageOut() async throws {
        let inspector = try await Inspector(CallLog(), allowsReleaseBuilds: true)
        let port = try #require(UInt16(inspector.url.split(separator: ":")[2].prefix { $0.isNumber }))
        let idle = try (0..<40).map { _ in try RawConnection.connected(port) }
        for _ in 0..<3 { #expect(try await RawConnection.exchange("GET / HTTP/1.1\r\n\r\n", port: port).hasPrefix("HTTP/1.1 ")) }
        for connection in idle { RawConnection.end(connection) }
        await inspector.stop()
    }

    @Test(arguments: ["", " ", "\n\t"])
    func openingToTheNetworkNeedsAReason(reason: String) async throws {
        let error = await #expect(throws: TarmacError.self) {
            _ = try await Inspector(CallLog(), listening: .allInterfaces(because: reason), allowsReleaseBuilds: true)
        }
        #expect(error?.code == .invalidOption)
    }

    @Test func faultsNeedAClient() async throws {
        let error = await #expect(throws: TarmacError.self) {
            _ = try await Inspector(CallLog(), faults: FaultControls(), allowsReleaseBuilds: true)
        }
        #expect(error?.code == .invalidOption)
    }

    @Test func cancelledStartThrowsCancellationError() async {
        let start = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await Inspector(CallLog(), allowsReleaseBuilds: true)
        }
        await #expect(throws: CancellationError.self) { _ = try await start.value }
    }

    @Test func releaseBuildRefusesToStart() async throws {
        let error = await #expect(throws: TarmacError.self) { _ = try await Inspector(CallLog(), isDebugBuild: false) }
        #expect(error?.code == .invalidOption && error?.reason.contains("release build") == true)
    }

    @Test func releaseBuildThatMeansItStarts() async throws {
        await (try Inspector(CallLog(), isDebugBuild: false, allowsReleaseBuilds: true)).stop()
    }

    @Test func inspectorFollowsItsLogFromTheStart() async throws {
        let log = CallLog(), inspector = try await Inspector(log, allowsReleaseBuilds: true)
        #expect(log.state.withLock { $0.listenerCount } == 1)
        await inspector.stop()
    }
}
