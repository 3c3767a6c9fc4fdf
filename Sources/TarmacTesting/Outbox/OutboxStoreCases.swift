#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
@_spi(TarmacRooms) import TarmacCore
import TarmacOutbox

extension OutboxStoreConformance.Case {
    func run(_ rig: OutboxStoreRig) async throws {
        switch self {
        case .entriesComeBackAsTheyWere: try await rig.entriesComeBackAsTheyWere()
        case .entriesKeepTheirOrder: try await rig.entriesKeepTheirOrder()
        case .knownFingerprintIsNotStoredTwice: try await rig.knownFingerprintIsNotStoredTwice()
        case .unknownFingerprintThatIsMetIsHandedBack: try await rig.unknownFingerprintThatIsMetIsHandedBack()
        case .fullStoreTakesNone: try await rig.fullStoreTakesNone()
        case .onlyHeadsAreLeased: try await rig.onlyHeadsAreLeased()
        case .leasedHeadIsNobodyElses: try await rig.leasedHeadIsNobodyElses()
        case .oldestHeadsComeFirst: try await rig.oldestHeadsComeFirst()
        case .leasesAreThoseOfAWalkOverAllLanes: try await rig.leasesAreThoseOfAWalkOverAllLanes()
        case .otherEnvironmentsArePassedOver: try await rig.otherEnvironmentsArePassedOver()
        case .lanesOfOneNameAreApart: try await rig.lanesOfOneNameAreApart()
        case .pausedHeadHoldsItsLane: try await rig.pausedHeadHoldsItsLane()
        case .serversPauseIsNeverIgnored: try await rig.serversPauseIsNeverIgnored()
        case .expiredHeadWaitsForNothing: try await rig.expiredHeadWaitsForNothing()
        case .clockPutBackStallsNothing: try await rig.clockPutBackStallsNothing()
        case .leaseThatRanOutIsTakenOver: try await rig.leaseThatRanOutIsTakenOver()
        case .renewedLeaseIsKept: try await rig.renewedLeaseIsKept()
        case .releasedLeaseIsFree: try await rig.releasedLeaseIsFree()
        case .settlingIsTheOwnersAlone: try await rig.settlingIsTheOwnersAlone()
        case .settlingLeasesTheNext: try await rig.settlingLeasesTheNext()
        case .sentEntryIsGone: try await rig.sentEntryIsGone()
        case .postponedEntryStaysFirst: try await rig.postponedEntryStaysFirst()
        case .deadLetterHoldsItsLane: try await rig.deadLetterHoldsItsLane()
        case .deadLetterLetsOthersPass: try await rig.deadLetterLetsOthersPass()
        case .revivedEntryStandsWhereItStood: try await rig.revivedEntryStandsWhereItStood()
        case .entryBeingSentIsNotRevived: try await rig.entryBeingSentIsNotRevived()
        case .replacedEntryStaysInPlace: try await rig.replacedEntryStaysInPlace()
        case .entryBeingSentIsNotReplaced: try await rig.entryBeingSentIsNotReplaced()
        case .keyOfAnotherIsRefused: try await rig.keyOfAnotherIsRefused()
        case .removedEntriesAreReturned: try await rig.removedEntriesAreReturned()
        case .filtersAreMet: try await rig.filtersAreMet()
        case .manyOwnersSendEachEntryOnceAndInOrder: try await rig.manyOwnersSendEachEntryOnceAndInOrder()
        }
    }
}

// MARK: Storing

extension OutboxStoreRig {
    fileprivate func entriesComeBackAsTheyWere() async throws {
        var record = OutboxRecord(
            id: OutboxEntry.ID(rawValue: "1"), lane: lane("Übung 1:2", service: "s", environment: "test", principal: "ann"), fingerprint: "f",
            payload: Bytes([0, 255, 10, 0]), isSealed: true, created: start + 0.125, expires: start + 99.5)
        record.notBefore = start + 1.25
        record.attempts = 4
        record.arrivals = 3
        record.failure = Bytes([1, 0, 2])
        _ = try await store.append([record], limit: 10)
        try requireEqual(try await all(), [record], "what was stored")
    }

    fileprivate func entriesKeepTheirOrder() async throws {
        try await add("b", "a")
        try await add("d", "c", lane: "other")
        try requireEqual(try await ids(), ["b", "a", "d", "c"], "the order")
        try requireEqual(try await store.records(.all, limit: 2).count, 2, "the number of entries within a limit of 2")
    }

    fileprivate func knownFingerprintIsNotStoredTwice() async throws {
        let first = try await store.append([record("1", key: "k")], limit: 10)
        let again = try await store.append([record("2", key: "k"), record("3", key: "l"), record("4", key: "l")], limit: 10)
        try requireEqual(first.map(\.rawValue), ["1"], "the ID")
        try requireEqual(again.map(\.rawValue), ["1", "3", "3"], "the IDs of keys that are known")
        try requireEqual(try await ids(), ["1", "3"], "what is stored")
    }

    fileprivate func unknownFingerprintThatIsMetIsHandedBack() async throws {
        try await add("1", "2")
        let new = [record("3"), record("4", key: "1"), record("5", key: "2")]
        let first = OutboxEntry.ID(rawValue: "1")
        guard case .met(let there) = try await store.append(new, known: [first], limit: 10) else {
            throw Unmet(reason: "an entry nobody knows of stands for another")
        }
        try requireEqual(there.map(\.id.rawValue), ["2"], "what is handed back")
        try requireEqual(there.first?.payload, Bytes("payload of 2"), "the payload of what is handed back")
        try requireEqual(try await ids(), ["1", "2"], "what is stored when one is handed back")
        let appended = try await store.append(new, known: [first, OutboxEntry.ID(rawValue: "2")], limit: 10)
        try requireEqual(appended, .stored(["3", "1", "2"].map { OutboxEntry.ID(rawValue: $0) }), "what is told once all are known")
        try requireEqual(try await ids(), ["1", "2", "3"], "what is stored then")
    }

    fileprivate func fullStoreTakesNone() async throws {
        _ = try await store.append([record("1"), record("2")], limit: 3)
        do {
            _ = try await store.append([record("3"), record("4")], limit: 3)
            throw Unmet(reason: "a full store takes more")
        } catch let error as TarmacError { try requireEqual(error.code, .outboxFull, "the code") }
        try requireEqual(try await ids(), ["1", "2"], "what is stored after a refusal")
        // An existing entry takes no place.
        try requireEqual(try await store.append([record("9", key: "1")], limit: 2).map(\.rawValue), ["1"], "the ID of a known key in a full store")
    }
}

// MARK: Leasing

extension OutboxStoreRig {
    fileprivate func onlyHeadsAreLeased() async throws {
        try await add("1", "2", "3")
        try await add("x", "y", lane: "other")
        try requireEqual(try await taken(lease()), ["1", "x"], "what is handed out")
        try requireEqual(try await taken(lease()), [], "what is handed out twice")
    }

    fileprivate func leasedHeadIsNobodyElses() async throws {
        try await add("1", "2")
        _ = try await taken(lease("a"))
        let other = try await store.lease(lease("b"))
        try requireEqual(other.records.count, 0, "what another is handed")
        try requireEqual(other.nextWake, start + 60, "when the lease ends")
    }

    fileprivate func oldestHeadsComeFirst() async throws {
        try await add("1", lane: "z")
        try await add("2", lane: "y")
        try await add("3", lane: "x")
        let leased = try await store.lease(lease(count: 2))
        try requireEqual(leased.records.map(\.id.rawValue), ["1", "2"], "what is handed out first")
        try require(leased.hasMore, "it is not said that more is due")
        let rest = try await store.lease(lease(count: 2))
        try requireEqual(rest.records.map(\.id.rawValue), ["3"], "what is handed out then")
        try require(!rest.hasMore, "it is said that more is due")
    }

    fileprivate func otherEnvironmentsArePassedOver() async throws {
        _ = try await store.append([record("1", lane("main", environment: "test")), record("2")], limit: 10)
        try requireEqual(try await taken(lease()), ["2"], "what is handed out in production")
        try requireEqual(try await taken(lease(environment: "test")), ["1"], "what is handed out in test")
    }

    fileprivate func lanesOfOneNameAreApart() async throws {
        let lanes = [lane("main"), lane("main", service: "other"), lane("main", principal: "ann"), lane("main", principal: "bob")]
        _ = try await store.append(lanes.enumerated().map { record("\($0.offset)", $0.element) }, limit: 10)
        try requireEqual(try await taken(lease()).sorted(), ["0", "1", "2", "3"], "what is handed out")
        try await settle("2", .released)
        try requireEqual(try await taken(lease(lane: lanes[3])), [], "what a lane whose head is leased hands out")
        try requireEqual(try await taken(lease(lane: lanes[2])), ["2"], "what the lane asked for hands out")
    }

    fileprivate func pausedHeadHoldsItsLane() async throws {
        try await add("1", "2")
        try await add("x", lane: "other")
        _ = try await taken(lease())
        try await settle("1", postponed(until: 30))
        try await settle("x", .sent)
        let early = try await store.lease(lease(after: 29))
        try requireEqual(early.records.count, 0, "what is handed out before the pause is over")
        try requireEqual(early.nextWake, start + 30, "when to wake")
        try requireEqual(try await taken(lease(after: 30)), ["1"], "what is handed out after the pause")
    }

    fileprivate func serversPauseIsNeverIgnored() async throws {
        try await add("1")
        _ = try await taken(lease())
        try await settle("1", postponed(until: 50, notBefore: 20))
        try requireEqual(try await taken(lease(after: 19, ignoringPauses: true)), [], "what is handed out against the server's wish")
        try requireEqual(try await taken(lease(after: 20)), [], "what is handed out before the pause is over")
        try requireEqual(try await taken(lease(after: 20, ignoringPauses: true)), ["1"], "what is handed out when pauses are ignored")
    }

    fileprivate func expiredHeadWaitsForNothing() async throws {
        var record = record("1")
        record.expires = start + 40
        _ = try await store.append([record], limit: 10)
        _ = try await taken(lease())
        try await settle("1", postponed(until: 600, notBefore: 500))
        let early = try await store.lease(lease(after: 39))
        try requireEqual(early.records.count, 0, "what is handed out before the expiry")
        try requireEqual(early.nextWake, start + 40, "when to wake")
        try requireEqual(try await taken(lease(after: 40)), ["1"], "what is handed out once it has expired")
        try requireEqual(try await taken(lease("b", after: 41)), [], "what is handed out while somebody has it")
    }

    fileprivate func leasesAreThoseOfAWalkOverAllLanes() async throws {
        for seed in 1...2 as ClosedRange<UInt64> {
            var walk = OutboxStoreWalk(self, seed: seed)
            try await walk.run(200)
            _ = try await store.remove(.all)
        }
    }

    fileprivate func clockPutBackStallsNothing() async throws {
        try await add("1")
        _ = try await taken(lease(after: 100_000))
        // A lease and a pause of a day are longer than any possible one, so the clock was wrong when they were set.
        try requireEqual(try await taken(lease("b")), ["1"], "what a lease from the future lets out")
        try await settle("1", postponed(until: 100_000, notBefore: 100_000), owner: "b")
        try requireEqual(try await taken(lease("b")), ["1"], "what a pause from the future lets out")
    }

    fileprivate func leaseThatRanOutIsTakenOver() async throws {
        try await add("1")
        _ = try await taken(lease("a"))
        try requireEqual(try await taken(lease("b", after: 59)), [], "what is handed out during the lease")
        try requireEqual(try await taken(lease("b", after: 60)), ["1"], "what is handed out after the lease")
        try await requireLostAnswer()
    }

    fileprivate func renewedLeaseIsKept() async throws {
        try await add("1")
        _ = try await taken(lease("a"))
        try await store.renew(owner: "a", until: start + 90)
        try await store.renew(owner: "b", until: start + 5)
        try requireEqual(try await taken(lease("b", after: 61)), [], "what is handed out during a renewed lease")
        try requireEqual(try await taken(lease("b", after: 90)), ["1"], "what is handed out after it")
    }

    fileprivate func releasedLeaseIsFree() async throws {
        try await add("1")
        _ = try await taken(lease("a"))
        try await store.release(owner: "b")
        try requireEqual(try await taken(lease("b")), [], "what another's release lets out")
        try await store.release(owner: "a")
        try await requireLostAnswer()
        try requireEqual(try await taken(lease("b")), ["1"], "what a release lets out")
    }

    /// The request of an owner that has not settled the entry may have arrived.
    private func requireLostAnswer() async throws {
        let stored = try await all().first
        try requireEqual(stored?.arrivals, 1, "the number of arrivals after an owner that did not settle")
        try requireEqual(stored?.failure, nil, "the failure after an owner that did not settle")
    }
}

// MARK: Settling

extension OutboxStoreRig {
    fileprivate func settlingIsTheOwnersAlone() async throws {
        try await add("1")
        _ = try await taken(lease("a"))
        _ = try await taken(lease("b", after: 60))
        let (isOwners, _) = try await settle("1", .sent, owner: "a")
        try require(!isOwners, "an owner whose lease has gone to another may settle")
        try requireEqual(try await ids(), ["1"], "what is stored")
        let (isNow, _) = try await settle("1", .sent, owner: "b")
        try require(isNow, "the owner may not settle")
        try require(try await !settle("1", .sent, owner: "b").0, "an entry that is gone may be settled")
    }

    fileprivate func settlingLeasesTheNext() async throws {
        try await add("1", "2")
        try await add("x", lane: "other")
        _ = try await taken(lease(count: 1))
        let (_, next) = try await settle("1", .sent, then: lease(count: 1, lane: lane("main")))
        try requireEqual(next.records.map(\.id.rawValue), ["2"], "what is handed out next in the lane")
        let (_, last) = try await settle("2", .sent, then: lease(count: 1, lane: lane("main")))
        try requireEqual(last.records.count, 0, "what an empty lane hands out")
    }

    fileprivate func sentEntryIsGone() async throws {
        try await add("1")
        _ = try await taken(lease())
        try await settle("1", .sent)
        try requireEqual(try await ids(), [], "what is stored")
        try requireEqual(try await store.append([record("2", key: "1")], limit: 10).map(\.rawValue), ["2"], "the ID under a key that is free again")
    }

    fileprivate func postponedEntryStaysFirst() async throws {
        try await add("1", "2")
        _ = try await taken(lease())
        try await settle("1", postponed(until: 5))
        let stored = try await all(only("1")).first
        try requireEqual(stored?.attempts, 1, "the number of attempts")
        try requireEqual(stored?.arrivals, 1, "the number of arrivals")
        try requireEqual(stored?.failure, Bytes("why"), "the failure")
        try require(stored?.leasedUntil == nil, "a postponed entry is still leased")
        try requireEqual(try await taken(lease(after: 5)), ["1"], "what is handed out")
    }

    fileprivate func deadLetterHoldsItsLane() async throws {
        try await add("1", "2")
        _ = try await taken(lease())
        let (_, next) = try await settle("1", buried(holdsLane: true), then: lease(lane: lane("main")))
        try requireEqual(next.records.count, 0, "what is handed out behind a dead letter")
        let later = try await store.lease(lease(after: 3_000))
        try requireEqual(later.records.count, 0, "what is handed out later")
        try require(later.nextWake == nil, "a held lane wakes")
        _ = try await store.remove(only("1"))
        try requireEqual(try await taken(lease()), ["2"], "what is handed out once it is dropped")
    }

    fileprivate func deadLetterLetsOthersPass() async throws {
        try await add("1", "2")
        _ = try await taken(lease())
        let (_, next) = try await settle("1", buried(holdsLane: false), then: lease(lane: lane("main")))
        try requireEqual(next.records.map(\.id.rawValue), ["2"], "what is handed out behind a dead letter")
        let dead = try await all(.deadLetters)
        try requireEqual(dead.map(\.id.rawValue), ["1"], "the dead letters")
        try requireEqual(dead.first?.attempts, 3, "the number of attempts")
        try requireEqual(dead.first?.failure, Bytes("why"), "the failure")
    }
}

// MARK: Changing

extension OutboxStoreRig {
    fileprivate func revivedEntryStandsWhereItStood() async throws {
        try await add("1", "2", "3")
        _ = try await taken(lease())
        try await settle("1", buried(holdsLane: false))
        let revived = try await store.revive(.deadLetters, now: start + 7)
        try requireEqual(revived.map(\.id.rawValue), ["1"], "what was revived")
        let stored = try await all(only("1")).first
        try requireEqual(stored?.state, .waiting, "the state")
        try requireEqual(stored?.attempts, 0, "the number of attempts")
        try requireEqual(stored?.nextAttempt, start + 7, "when it is due")
        try requireEqual(try await taken(lease(after: 7)), ["1"], "what is handed out first")
    }

    fileprivate func entryBeingSentIsNotRevived() async throws {
        try await add("1")
        _ = try await taken(lease())
        try requireEqual(try await store.revive(.all, now: start).count, 0, "how many were revived")
        try requireEqual(try await taken(lease("b")), [], "what is handed out to another")
        // Its owner may still send it when the lease has ended.
        try requireEqual(try await store.revive(.all, now: start + 61).count, 1, "how many whose lease ran out were revived")
        try require(try await settle("1", .sent).0, "an owner whose entry was revived may not settle")
    }

    fileprivate func replacedEntryStaysInPlace() async throws {
        try await add("1", "2")
        let isReplaced = try await store.replace(
            OutboxEntry.ID(rawValue: "1"), payload: Bytes("new"), isSealed: true, fingerprint: "new key", now: start)
        try require(isReplaced, "an entry is not replaced")
        let stored = try await all().first
        try requireEqual(stored?.payload, Bytes("new"), "the payload")
        try requireEqual(stored?.isSealed, true, "whether it is sealed")
        try requireEqual(try await ids(), ["1", "2"], "the order")
        try requireEqual(
            try await store.append([record("3", key: "new key"), record("4", key: "1")], limit: 10).map(\.rawValue), ["1", "4"], "who has the keys")
        let isMissing = try await store.replace(OutboxEntry.ID(rawValue: "9"), payload: .empty, isSealed: false, fingerprint: "9", now: start)
        try require(!isMissing, "an entry that is not there is replaced")
    }

    fileprivate func entryBeingSentIsNotReplaced() async throws {
        try await add("1")
        _ = try await taken(lease())
        let id = OutboxEntry.ID(rawValue: "1")
        try require(try await !store.replace(id, payload: .empty, isSealed: false, fingerprint: "1", now: start), "an entry is replaced while it is sent")
        try require(
            try await store.replace(id, payload: .empty, isSealed: false, fingerprint: "1", now: start + 61), "an entry whose lease ran out is not replaced")
        try require(try await !settle("1", .sent).0, "an owner whose entry was replaced may settle")
        let stored = try await all().first
        try require(stored?.leasedUntil == nil, "a replaced entry is still leased")
        try requireEqual(stored?.arrivals, 0, "the number of arrivals of a replaced entry")
        try requireEqual(try await taken(lease("b")), ["1"], "what is handed out after a replacement")
    }

    fileprivate func keyOfAnotherIsRefused() async throws {
        try await add("1", "2")
        do {
            _ = try await store.replace(OutboxEntry.ID(rawValue: "1"), payload: .empty, isSealed: false, fingerprint: "2", now: start)
            throw Unmet(reason: "two entries have one key")
        } catch is TarmacError {}
        try requireEqual(try await all(only("1")).first?.payload, Bytes("payload of 1"), "the payload after a refusal")
    }

    fileprivate func removedEntriesAreReturned() async throws {
        try await add("1", "2")
        _ = try await taken(lease())
        try requireEqual(try await store.remove(only("1", "9")).map(\.id.rawValue), ["1"], "what was removed")
        try require(try await !settle("1", .sent).0, "a removed entry may be settled")
        try requireEqual(try await taken(lease()), ["2"], "what is handed out then")
        try requireEqual(try await store.remove(.all).count, 1, "how many were left")
    }

    fileprivate func filtersAreMet() async throws {
        let lanes = [
            lane("main"), lane("main", principal: "ann"), lane("orders"), lane("main", service: "mail"), lane("main", environment: "test"),
        ]
        _ = try await store.append(lanes.enumerated().map { record("\($0.offset)", $0.element) }, limit: 10)
        _ = try await taken(lease(lane: lanes[2]))
        try await settle("2", buried(holdsLane: true))
        let table: [(OutboxFilter, [String])] = [
            (.all, ["0", "1", "2", "3", "4"]), (.deadLetters, ["2"]), (OutboxFilter(state: .waiting, lane: "main"), ["0", "1", "3", "4"]),
            (OutboxFilter(principal: "ann"), ["1"]), (OutboxFilter(principal: ""), ["0", "2", "3", "4"]), (OutboxFilter(service: "mail"), ["3"]),
            (OutboxFilter(environment: "test"), ["4"]), (OutboxFilter(ids: []), []),
            (OutboxFilter(ids: ["1", "4", "x"].map { OutboxEntry.ID(rawValue: $0) }.reduce(into: []) { $0.insert($1) }, environment: "test"), ["4"]),
        ]
        for (filter, expected) in table { try requireEqual(try await ids(filter), expected, "what meets \(filter)") }
    }

    fileprivate func manyOwnersSendEachEntryOnceAndInOrder() async throws {
        let lanes = (0..<5).map { lane("lane \($0)") }
        let total = 200
        _ = try await store.append((0..<total).map { record("\($0)", lanes[$0 % lanes.count]) }, limit: 1_000)
        let sent = Locked<[Int]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for owner in 0..<8 {
                group.addTask {
                    while sent.withLock({ $0.count }) < total {
                        let leased = try await store.lease(lease("\(owner)", count: 2)).records
                        for record in leased {
                            sent.withLock { $0.append(Int(record.id.rawValue) ?? -1) }
                            try await settle(record.id.rawValue, .sent, owner: "\(owner)")
                        }
                        if leased.isEmpty { await Task.yield() }
                    }
                }
            }
            try await group.waitForAll()
        }
        let order = sent.withLock { $0 }
        try requireEqual(order.sorted(), Array(0..<total), "what was sent")
        for lane in 0..<lanes.count {
            let ofLane = order.filter { $0 % lanes.count == lane }
            try require(ofLane == ofLane.sorted(), "lane \(lane) was sent in the order \(ofLane)")
        }
    }
}
