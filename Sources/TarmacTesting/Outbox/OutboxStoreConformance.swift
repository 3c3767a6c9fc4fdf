#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacCore
public import TarmacOutbox

/// The conformance cases for the stores of an outbox.
///
/// ```swift
/// @Test(arguments: OutboxStoreConformance.Case.allCases)
/// func conforms(_ name: OutboxStoreConformance.Case) async throws {
///     try await OutboxStoreConformance.run(name) { try MyOutboxStore() }
/// }
/// ```
public enum OutboxStoreConformance {
    /// A case; its raw value is a claim about a store.
    public enum Case: String, CaseIterable, Sendable, CustomStringConvertible {
        case entriesComeBackAsTheyWere
        case entriesKeepTheirOrder
        case knownFingerprintIsNotStoredTwice
        case unknownFingerprintThatIsMetIsHandedBack
        case fullStoreTakesNone
        case onlyHeadsAreLeased
        case leasedHeadIsNobodyElses
        case oldestHeadsComeFirst
        case leasesAreThoseOfAWalkOverAllLanes
        case otherEnvironmentsArePassedOver
        case lanesOfOneNameAreApart
        case pausedHeadHoldsItsLane
        case serversPauseIsNeverIgnored
        case expiredHeadWaitsForNothing
        case clockPutBackStallsNothing
        case leaseThatRanOutIsTakenOver
        case renewedLeaseIsKept
        case releasedLeaseIsFree
        case settlingIsTheOwnersAlone
        case settlingLeasesTheNext
        case sentEntryIsGone
        case postponedEntryStaysFirst
        case deadLetterHoldsItsLane
        case deadLetterLetsOthersPass
        case revivedEntryStandsWhereItStood
        case entryBeingSentIsNotRevived
        case replacedEntryStaysInPlace
        case entryBeingSentIsNotReplaced
        case keyOfAnotherIsRefused
        case removedEntriesAreReturned
        case filtersAreMet
        case manyOwnersSendEachEntryOnceAndInOrder

        public var description: String { rawValue }
    }

    /// Runs one case on a new, empty store.
    ///
    /// - Throws: ``ConformanceFailure``, or the error of the store.
    public static func run(_ name: Case, _ makeStore: () throws -> any OutboxStore) async throws {
        let rig = OutboxStoreRig(store: try makeStore())
        do { try await name.run(rig) } catch let unmet as Unmet {
            throw ConformanceFailure(name: name.rawValue, reason: unmet.reason, details: "")
        }
    }
}

/// A store with short functions for the cases.
struct OutboxStoreRig: Sendable {
    let store: any OutboxStore
    /// The date when every case starts.
    let start = Date(timeIntervalSince1970: 1_000_000_000)

    func lane(_ name: String, service: String = "shop", environment: String = "production", principal: String = "") -> OutboxLane {
        OutboxLane(service: service, environment: environment, principal: principal, name: name)
    }

    func record(_ id: String, _ lane: OutboxLane? = nil, key: String? = nil) -> OutboxRecord {
        OutboxRecord(
            id: OutboxEntry.ID(rawValue: id), lane: lane ?? self.lane("main"), fingerprint: key ?? id, payload: Bytes("payload of \(id)"), isSealed: false,
            created: start)
    }

    /// Stores entries of one lane.
    func add(_ ids: String..., lane: String = "main") async throws {
        _ = try await store.append(ids.map { record($0, self.lane(lane)) }, limit: 1_000)
    }

    func lease(
        _ owner: String = "a", after seconds: Double = 0, count: Int = 10, lane: OutboxLane? = nil, environment: String = "production",
        ignoringPauses: Bool = false
    ) -> OutboxLease {
        let now = start + seconds
        return OutboxLease(
            owner: owner, environment: environment, lane: lane, now: now, until: now + 60, count: count, ignoresPauses: ignoringPauses,
            longestPause: .seconds(3_600))
    }

    /// Returns the IDs of the entries that an owner leases.
    func taken(_ lease: OutboxLease) async throws -> [String] { try await store.lease(lease).records.map(\.id.rawValue) }

    @discardableResult
    func settle(_ id: String, _ settlement: OutboxSettlement, owner: String = "a", then lease: OutboxLease? = nil) async throws -> (Bool, OutboxLeased) {
        try await store.settle(OutboxEntry.ID(rawValue: id), as: settlement, owner: owner, then: lease)
    }

    func all(_ filter: OutboxFilter = .all) async throws -> [OutboxRecord] { try await store.records(filter, limit: 1_000) }
    func ids(_ filter: OutboxFilter = .all) async throws -> [String] { try await all(filter).map(\.id.rawValue) }
    func only(_ ids: String...) -> OutboxFilter { OutboxFilter(ids: Set(ids.map { OutboxEntry.ID(rawValue: $0) })) }

    func postponed(until seconds: Double, notBefore: Double? = nil) -> OutboxSettlement {
        .postponed(
            OutboxSettlement.Postponement(
                until: start + seconds, notBefore: notBefore.map { start + $0 }, attempts: 1, arrivals: 1, failure: Bytes("why")))
    }

    func buried(holdsLane: Bool) -> OutboxSettlement {
        .buried(OutboxSettlement.Burial(holdsLane: holdsLane, attempts: 3, arrivals: 2, failure: Bytes("why")))
    }
}
