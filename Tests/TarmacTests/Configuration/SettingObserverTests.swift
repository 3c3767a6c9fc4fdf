import Tarmac
import TarmacCore
import TarmacTesting
import Testing

/// Settings that bring an observer.
@Suite("Observers of settings")
struct SettingObserverTests {
    private enum Watcher: OptionKey {
        static let name = "watcher"
        static var defaultValue: Watched<[String]>? { nil }
        static func describe(_ value: Watched<[String]>?) -> String { value == nil ? "none" : "some" }
        static func observer(_ value: Watched<[String]>?, in scope: StageScope) -> (any EventObserver)? {
            guard let value else { return nil }
            let service = scope.service.name
            return ClosureObserver { event in if case .landed = event.kind { value.update { $0.append("\(service) \(event.endpoint)") } } }
        }
    }

    private static func client(_ configure: (inout Options) -> Void) -> Client {
        Client(transport: .stub { _ in .text("hello") }, services: [Service("s", host: "https://s.example")], configure: configure)
    }

    @Test func aSettingsObserverReceivesTheEventsOnce() async throws {
        let seen = Watched<[String]>([])
        let client = Self.client { $0[Watcher.self] = seen }
        // Also a call with a layer of its own has the observer once.
        try await client.get("/a")
        try await client.get("/b") { $0.timeout = .seconds(1) }
        #expect(seen.value == ["s GET /a", "s GET /b"])
    }

    @Test func theUpperLayersSettingReplacesTheObserver() async throws {
        let below = Watched<[String]>([]), above = Watched<[String]>([])
        let client = Self.client { $0[Watcher.self] = below }
        try await client.get("/a") { $0[Watcher.self] = above }
        try await client.get("/b") { $0[Watcher.self] = .some(nil) }
        #expect(below.value.isEmpty && above.value == ["s GET /a"])
    }

    @Test func theObserversOfTheLayersStay() async throws {
        let own = Watched<[String]>([]), seen = Watched<[String]>([])
        let client = Self.client {
            $0[Watcher.self] = seen
            $0.observers = [.closure { event in if case .landed = event.kind { own.update { $0.append(event.endpoint) } } }]
        }
        try await client.get("/a")
        #expect(own.value == ["GET /a"] && seen.value == ["s GET /a"])
    }
}
