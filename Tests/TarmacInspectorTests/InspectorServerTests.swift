import Foundation
import TarmacCore
import TarmacLog
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

    @Test(.enabled(if: !BuildKind.isDebug))
    func releaseBuildRefusesToStart() async throws {
        await #expect(throws: TarmacError.self) { _ = try await Inspector(CallLog()) }
    }
}
