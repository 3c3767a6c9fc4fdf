#if Tools
import Foundation
import Tarmac
import TarmacOutbox
import TarmacSQLite

/// Mutations that must not be lost, a few hundred ahead of the server at most.
final class StormOutbox: Sendable {
    private let outbox: Outbox
    private let services: StormServices
    private let notes: StormNotes

    init(client: Client, services: StormServices, notes: StormNotes, path: String) throws {
        self.services = services
        self.notes = notes
        let rule = OutboxRule {
            ($0.base, $0.maximumDelay) = (.milliseconds(200), .seconds(4))
            $0.maximumAttempts = nil
            $0.attemptTime = .seconds(8)
        }
        outbox = try Outbox(client: client, store: SQLiteOutboxStore(SQLiteDatabase(path: path)), rule: rule)
        outbox.start()
    }

    /// Enqueues one, unless many wait.
    func enqueue(_ number: Int) async {
        do {
            if try await outbox.entries(limit: 301).count > 300 { return }
            _ = try await outbox.enqueue(.post("/box/\(number)", ["n": number]).on(services.plain), lane: "\(number % 6)")
            notes.claim("box", number)
            notes.landed(.outbox)
        } catch { notes.violated("the outbox did not take \(number): \(error)") }
    }

    /// Waits until all is sent, on a wire that is whole again.
    func drain() async {
        notes.began("outbox", "its drain")
        await outbox.waitUntilIdle()
        notes.ended("outbox")
        let left = (try? await outbox.entries())?.count ?? -1
        if left != 0 { notes.violated("the outbox was idle, and kept \(left) entries") }
        notes.began("outbox", "its shutdown")
        await outbox.shutdown()
        notes.ended("outbox")
    }
}
#endif
