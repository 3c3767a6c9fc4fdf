import Tarmac
import TarmacCore
import TarmacTesting
import Testing

/// Settings that bring an observer.
@Suite("Observers of settings")
struct SettingObserverTests {
    private enum Watcher {
        static let setting = Setting<Watched<[String]>?>("watcher", default: nil) {
            $0.describe = { value in value == nil ? "none" : "some" }
            $0.observer = { value, scope in
                guard let value else { return nil }
                let service = scope.service.name
                return ClosureObserver { event in if case .landed = event.kind { value.update { $0.append("\(service) \(event.endpoint)") } } }
            }
        }
    }

    private static func client(_ configure: (inout Options) -> Void) -> Client {
        Client(transport: .stub { _ in .text("hello") }, services: [Service("s", host: "https://s.example")], configure: configure)
    }

    @Test func aSettingsObserverReceivesTheEventsOnce() async throws {
        let seen = Watched<[String]>([])
        let client = Self.client { $0[Watcher.setting] = seen }
        // Also a call with a layer of its own has the observer once.
        try await client.get("/a")
        try await client.get("/b") { $0.timeout = .seconds(1) }
        #expect(seen.value == ["s GET /a", "s GET /b"])
    }

    @Test func theUpperLayersSettingReplacesTheObserver() async throws {
        let below = Watched<[String]>([]), above = Watched<[String]>([])
        let client = Self.client { $0[Watcher.setting] = below }
        try await client.get("/a") { $0[Watcher.setting] = above }
        try await client.get("/b") { $0[Watcher.setting] = .some(nil) }
        #expect(below.value.isEmpty && above.value == ["s GET /a"])
    }

    @Test func theObserversOfTheLayersStay() async throws {
        let own = Watched<[String]>([]), seen = Watched<[String]>([])
        let client = Self.client {
            $0[Watcher.setting] = seen
            $0.observers = [.closure { event in if case .landed = event.kind { own.update { $0.append(event.endpoint) } } }]
        }
        try await client.get("/a")
        #expect(own.value == ["GET /a"] && seen.value == ["s GET /a"])
    }
}
