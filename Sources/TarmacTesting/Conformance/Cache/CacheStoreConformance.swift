public import TarmacCache

/// The conformance cases for cache stores.
///
/// ```swift
/// @Test(arguments: CacheStoreConformance.Case.allCases)
/// func conforms(_ name: CacheStoreConformance.Case) async throws {
///     try await CacheStoreConformance.run(name) { limit in MyStore(limit: limit) }
/// }
/// ```
public enum CacheStoreConformance {
    /// A case; its raw value is a claim about a store.
    public enum Case: String, CaseIterable, Sendable, CustomStringConvertible {
        case whatIsStoredIsFound
        case nothingIsFoundUnderAnotherKey
        case variantsStandSideBySide
        case publishingReplaces
        case emptyBodies
        case largeBodiesStream
        case unpublishedIsInvisible
        case abortedLeavesNothing
        case droppedLeavesNothing
        case updateChangesTheHeadAlone
        case updateOfWhatIsGoneFails
        case bodyOfWhatIsGoneIsGone
        case readersOfTheOldReadToItsEnd
        case removalBySelection
        case listingInPages
        case theLimitIsKept
        case whatIsUsedStays
        case tooLargeIsRefused
        case statisticsCount
        case writersAtOnceNeverMix

        public var description: String { rawValue }
    }

    /// Runs one case with a new store.
    ///
    /// - Parameters:
    ///   - name: The case.
    ///   - make: Creates an empty store with a limit in bytes.
    /// - Throws: ``ConformanceFailure``, or the error of the store.
    public static func run(_ name: Case, with make: @escaping @Sendable (Int) async throws -> any CacheStore) async throws {
        do { try await CacheStoreCases(make: make).run(name) } catch let unmet as Unmet {
            throw ConformanceFailure(name: name.rawValue, reason: unmet.reason, details: "")
        }
    }
}
