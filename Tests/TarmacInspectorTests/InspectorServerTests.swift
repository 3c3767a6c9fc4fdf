import Foundation
@_spi(TarmacRooms) import TarmacCore
import Testing

@testable import TarmacInspector
@testable import TarmacLog

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

    @Test func lastBodyFailsAfterItsLastByte() async throws {
        var body = FinalBytes(bytes: [1, 2, 3]).makeAsyncIterator()
        #expect(try await body.nextBuffer(suggested: 2) == [1, 2])
        #expect(try await body.nextBuffer(suggested: 2) == [3])
        await #expect(throws: (any Error).self) { try await body.nextBuffer(suggested: 2) }
    }

    @Test func boundedNumberOfConnectionsWaits() {
        let places = WaitingPlaces(most: 3, mostOfOne: 2)
        let entered = ["a", "a", "a", "b", "b", "c"].map(places.enter)
        #expect(entered == [true, true, false, true, false, false])
        places.leave("a")
        let next = ["c", "a"].map(places.enter)
        #expect(next == [true, false])
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
