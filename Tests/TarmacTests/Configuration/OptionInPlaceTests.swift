import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore

/// A collection that counts its copies: it makes one whenever its storage has a second reference.
private struct Counted: Sendable {
    private final class Storage: Sendable {
        let values: Locked<[Int]>
        init(_ values: [Int]) { self.values = Locked(values) }
    }
    private var storage = Storage([])
    private(set) var copies = 0

    mutating func append(_ value: Int) {
        if !isKnownUniquelyReferenced(&storage) {
            storage = Storage(storage.values.withLock { $0 })
            copies += 1
        }
        storage.values.withLock { $0.append(value) }
    }

    var count: Int { storage.values.withLock { $0.count } }
}

private enum CountedOption: OptionKey {
    static let name = "counted"
    static let defaultValue = Counted()
}

extension Options {
    fileprivate var counted: Counted? {
        get { self[CountedOption.self] }
        _modify { yield &self[CountedOption.self] }
    }
}

/// A setting that is a collection is changed in place. A copy for each change takes a time that grows with the square of their number.
@Suite("Settings that are collections")
struct OptionInPlaceTests {
    @Test func aSettingByItsKeyIsChangedInPlace() {
        var options = Options()
        options.counted = Counted()
        for number in 0..<100 { options[CountedOption.self]?.append(number) }
        for number in 0..<100 { options.counted?.append(number) }
        #expect(options.counted?.count == 200 && options.counted?.copies == 0)
    }

    @Test func aLayerThatWasCopiedKeepsItsOwn() {
        var options = Options()
        options.tags.insert("a")
        options.parameters["a"] = 1
        let copy = options
        options.tags.insert("b")
        options.parameters["b"] = 2
        #expect(copy.tags == ["a"] && copy.parameters.map(\.name) == ["a"] && options.tags.count == 2 && options.parameters.count == 2)
    }

    @Test func aChangeThatThrowsKeepsTheValue() {
        struct Failure: Error {}
        func fail(_ tags: inout Set<CallTag>) throws {
            tags.insert("b")
            throw Failure()
        }
        var options = Options()
        options.tags = ["a"]
        #expect(throws: Failure.self) { try fail(&options.tags) }
        #expect(options.tags == ["a", "b"])
    }

    @Test func nilInheritsAgain() {
        var options = Options()
        options.counted = Counted()
        options.counted = nil
        #expect(options.isEmpty && options[CountedOption.self] == nil)
    }

    /// The path of every accessor of a collection.
    @Test func aCollectionThatStartsEmptyIsChangedInPlace() {
        var options = Options()
        for number in 0..<100 { options[CountedOption.self, empty: Counted()].append(number) }
        #expect(options.counted?.count == 100 && options.counted?.copies == 0)
    }

    private struct Around: Interceptor {
        func intercept(_ request: Request, chain: Chain) async throws -> Response { try await chain.proceed(request) }
    }
    private struct Sorted: ParameterTransform {
        func transform(_ parameters: ParameterList, for request: ParameterTarget) throws -> ParameterList { parameters.sorted() }
    }

    @Test func theElementsOfEveryListStayWhereTheyAre() {
        expectInPlace(\.interceptors, Around())
        expectInPlace(\.attemptInterceptors, Around())
        expectInPlace(\.observers, EventRecorder())
        expectInPlace(\.mapError) { $0 }
        expectInPlace(\.urlFilters, ClosureURLFilter { url, _ in url })
        expectInPlace(\.parameterTransforms, Sorted())
    }

    private func expectInPlace<Element>(_ list: WritableKeyPath<Options, [Element]>, _ element: Element) {
        var options = Options()
        options[keyPath: list].reserveCapacity(64)
        func address() -> UnsafePointer<Element>? { options[keyPath: list].withUnsafeBufferPointer { $0.baseAddress } }
        let first = address()
        for _ in 0..<32 { options[keyPath: list].append(element) }
        #expect(address() == first && options[keyPath: list].count == 32)
    }
}
