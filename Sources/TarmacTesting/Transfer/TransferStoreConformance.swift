#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
public import TarmacTransfer

/// The conformance cases for the stores of a ``TransferLedger``.
///
/// ```swift
/// @Test(arguments: TransferStoreConformance.Case.allCases)
/// func conforms(_ name: TransferStoreConformance.Case) async throws {
///     try await TransferStoreConformance.run(name) { try MyTransferStore() }
/// }
/// ```
public enum TransferStoreConformance {
    /// A case; its raw value is a claim about a store.
    public enum Case: String, CaseIterable, Sendable, CustomStringConvertible {
        case unknownKeyHasNoRecord
        case recordsComeBackAsTheyWere
        case savingReplaces
        case removingIsNoFailureTwice
        case keysAreThoseOfTheRecords
        case recordsOfManyWritersAreWhole
        case cancelledTaskStillSaves

        public var description: String { rawValue }
    }

    /// Runs one case on a new, empty store.
    ///
    /// - Throws: ``ConformanceFailure``, or the error of the store.
    public static func run(_ name: Case, _ makeStore: () throws -> any TransferStore) async throws {
        let rig = TransferStoreRig(store: try makeStore())
        do { try await rig.run(name) } catch let unmet as Unmet {
            throw ConformanceFailure(name: name.rawValue, reason: unmet.reason, details: "")
        }
    }
}

/// A store with the cases.
private struct TransferStoreRig: Sendable {
    let store: any TransferStore
    private static let one = String(repeating: "0a", count: 32), two = String(repeating: "ff", count: 32)

    func run(_ name: TransferStoreConformance.Case) async throws {
        switch name {
        case .unknownKeyHasNoRecord: try await unknownKeyHasNoRecord()
        case .recordsComeBackAsTheyWere: try await recordsComeBackAsTheyWere()
        case .savingReplaces: try await savingReplaces()
        case .removingIsNoFailureTwice: try await removingIsNoFailureTwice()
        case .keysAreThoseOfTheRecords: try await keysAreThoseOfTheRecords()
        case .recordsOfManyWritersAreWhole: try await recordsOfManyWritersAreWhole()
        case .cancelledTaskStillSaves: try await cancelledTaskStillSaves()
        }
    }

    private func requireRecord(_ key: String, _ expected: Data?) async throws {
        try requireEqual(try await store.record(for: key), expected, "the record of \(key.prefix(4))…")
    }

    private func unknownKeyHasNoRecord() async throws {
        try await requireRecord(Self.one, nil)
        try requireEqual(try await store.keys(), [], "the list of keys")
    }

    private func recordsComeBackAsTheyWere() async throws {
        for record in [Data(), Data([0]), Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })] {
            try await store.save(record, for: Self.one)
            try await requireRecord(Self.one, record)
        }
    }

    private func savingReplaces() async throws {
        try await store.save(Data(repeating: 1, count: 5000), for: Self.one)
        try await store.save(Data("short".utf8), for: Self.one)
        try await requireRecord(Self.one, Data("short".utf8))
        try requireEqual(try await store.keys(), [Self.one], "the list of keys")
    }

    private func removingIsNoFailureTwice() async throws {
        try await store.save(Data("one".utf8), for: Self.one)
        try await store.save(Data("two".utf8), for: Self.two)
        for _ in 0..<2 { try await store.remove(Self.one) }
        try await requireRecord(Self.one, nil)
        try await requireRecord(Self.two, Data("two".utf8))
    }

    private func keysAreThoseOfTheRecords() async throws {
        try await store.save(Data("two".utf8), for: Self.two)
        try await store.save(Data("one".utf8), for: Self.one)
        try requireEqual(try await store.keys().sorted(), [Self.one, Self.two], "the list of keys")
    }

    /// A reader sees one record or another, and never parts of both.
    private func recordsOfManyWritersAreWhole() async throws {
        try await store.save(Data(repeating: 0, count: 4000), for: Self.one)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in UInt8(1)...8 {
                group.addTask {
                    for _ in 0..<10 { try await store.save(Data(repeating: writer, count: 4000 - Int(writer)), for: Self.one) }
                }
                group.addTask {
                    for _ in 0..<10 {
                        let record = try await store.record(for: Self.one)
                        let first = record?.first
                        try require(
                            record?.count == first.map { 4000 - Int($0) } && record?.allSatisfy { $0 == first } == true, "a reader sees half of a record")
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// A cancelled transfer still saves its record.
    private func cancelledTaskStillSaves() async throws {
        // LIFETIME: ends with the case, which waits for it.
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await store.save(Data("one".utf8), for: Self.one)
            try await store.save(Data("two".utf8), for: Self.two)
            try await store.remove(Self.two)
        }
        try await task.value
        try await requireRecord(Self.one, Data("one".utf8))
        try await requireRecord(Self.two, nil)
    }
}
