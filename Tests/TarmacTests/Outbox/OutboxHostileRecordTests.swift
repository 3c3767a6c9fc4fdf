#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox
import TarmacResumableUpload
@testable import TarmacTransfer

/// A record that no outbox has stored, such as one of a damaged file: it is sent or becomes a dead letter, and others go on.
@Suite("Outbox: records that no outbox has stored", .timeLimit(.minutes(5)))
struct OutboxHostileRecordTests {
    /// What is wrong with a record.
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var attempts = 0
        var arrivals = 0
        var created: Double = 1_000_000_000
        var expires: Double?
        var nextAttempt: Double = 0
        var notBefore: Double?
        var leasedUntil: Double?

        init(_ name: String, _ change: (inout Damage) -> Void) {
            testDescription = name
            change(&self)
        }

        func applied(to record: OutboxRecord) -> OutboxRecord {
            func date(_ seconds: Double?) -> Date? { seconds.map(Date.init(timeIntervalSince1970:)) }
            return OutboxRecord(
                id: record.id, lane: record.lane, fingerprint: record.fingerprint, payload: record.payload, isSealed: record.isSealed, state: .waiting,
                created: date(created) ?? record.created, expires: date(expires), nextAttempt: date(nextAttempt) ?? record.created,
                notBefore: date(notBefore), attempts: attempts, arrivals: arrivals, failure: nil, leasedUntil: date(leasedUntil), holdsLane: false)
        }
    }

    private static let numbers = [Int.max, .max - 1, .min, -1]
    private static let seconds = [Double.infinity, -.infinity, .nan, .greatestFiniteMagnitude, 1e19, -1e19]
    static let damages: [Damage] =
        numbers.flatMap { number in
            [Damage("attempts \(number)") { $0.attempts = number }, Damage("arrivals \(number)") { $0.arrivals = number }]
        }
        + seconds.flatMap { seconds in
            [
                Damage("created \(seconds)") { $0.created = seconds }, Damage("expires \(seconds)") { $0.expires = seconds },
                Damage("next attempt \(seconds)") { $0.nextAttempt = seconds }, Damage("not before \(seconds)") { $0.notBefore = seconds },
                Damage("leased until \(seconds)") { $0.leasedUntil = seconds },
            ]
        }

    @Test(arguments: damages) func othersGoOn(damage: Damage) async throws {
        let store = MemoryOutboxStore()
        // One failure each, so that the next attempt is computed. No pause, so that time may stand still.
        let rig = try OutboxRig([.status(503), .status(503)], store: store) { $0.base = .zero }
        let hostile = try await rig.outbox.enqueue(CreateOrder(number: 1), lane: "a")
        try await rig.outbox.enqueue(CreateOrder(number: 2), lane: "b")
        let record = try #require(store.remove(OutboxFilter(ids: [hostile])).first)
        _ = try store.append([damage.applied(to: record)], known: [], limit: 10)
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers.contains(2))
        let left = try await rig.stored()
        #expect(left.allSatisfy { $0.id == hostile && $0.state == .dead })
    }

    /// A store of the app may count by itself.
    @Test func aCountIsBoundedWhenItIsSet() {
        var record = OutboxRecord(
            id: OutboxEntry.ID(rawValue: "1"), lane: OutboxLane(service: "s", environment: "e", name: "l"), fingerprint: "", payload: .empty,
            isSealed: false, created: .distantPast)
        (record.attempts, record.arrivals) = (.max, .min)
        #expect(record.attempts < Int.max && record.arrivals == 0)
    }

    @Test(arguments: [Int64.max, -1, .min]) func aLengthThatNoFileHasIsADeadLetter(size: Int64) async throws {
        try await expectUnreadable { $0.file = OutboxMutation.File(size: size, isSealed: false) }
    }

    @Test(arguments: [Int64.min, -1, 0]) func aPieceOfNoLengthIsADeadLetter(size: Int64) async throws {
        var settings = UploadProtocol.tus
        settings.chunkSize = size
        try await expectUnreadable { [settings] in $0.upload = OutboxMutation.Upload(settings: settings, name: "film") }
    }

    private func expectUnreadable(_ damage: (inout OutboxMutation) -> Void) async throws {
        let store = MemoryOutboxStore(bodyFolder: FileManager.default.temporaryDirectory.path + "/none"), rig = try OutboxRig(store: store)
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1), lane: "a")
        try await rig.outbox.enqueue(CreateOrder(number: 2), lane: "b")
        let record = try #require(store.records(OutboxFilter(ids: [id]), limit: 1).first)
        var mutation = try rig.outbox.core.coder.mutation(in: record)
        damage(&mutation)
        let payload = try rig.outbox.core.coder.payload(of: mutation, id, in: record.lane)
        #expect(try store.replace(id, payload: payload, isSealed: false, fingerprint: "1", now: rig.time.date))
        rig.outbox.start()
        guard case .buried(let failure) = try await rig.outbox.outcome(of: id) else { return #expect(Bool(false), "it is no dead letter") }
        #expect(failure.kind == .unreadable)
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [2])
    }
}
