import Foundation
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

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

private enum CountedOption {
    static let setting = Setting("counted", default: Counted())
}

extension Options {
    fileprivate var counted: Counted? {
        get { self[CountedOption.setting] }
        _modify { yield &self[CountedOption.setting] }
    }
}

/// A setting that is a collection is changed in place. A copy for each change takes a time that grows with the square of their number.
@Suite("Settings that are collections")
struct OptionInPlaceTests {
    @Test func aSettingByItsKeyIsChangedInPlace() {
        var options = Options()
        options.counted = Counted()
        for number in 0..<100 { options[CountedOption.setting]?.append(number) }
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
        #expect(options.isEmpty && options[CountedOption.setting] == nil)
    }

    /// The path of every accessor of a collection.
    @Test func aCollectionThatStartsEmptyIsChangedInPlace() {
        var options = Options()
        for number in 0..<100 { options[CountedOption.setting, empty: Counted()].append(number) }
        #expect(options.counted?.count == 100 && options.counted?.copies == 0)
    }

    private struct Around: Interceptor {
        func intercept(_ request: Request, chain: Chain) async throws -> Response { try await chain.proceed(request) }
    }
    private struct Sorted: ParameterTransform {
        func transform(_ parameters: ParameterList, for request: ParameterTarget) throws -> ParameterList { parameters.sorted() }
    }

    // Not by key paths: they read and write a computed property, and do not change it in place.
    @Test func theElementsOfEveryListStayWhereTheyAre() {
        let mapping: ErrorMapping = { $0 }
        expectInPlace(Around() as any Interceptor) { $1(&$0.interceptors) }
        expectInPlace(Around() as any Interceptor) { $1(&$0.attemptInterceptors) }
        expectInPlace(EventRecorder() as any EventObserver) { $1(&$0.observers) }
        expectInPlace(mapping) { $1(&$0.mapError) }
        expectInPlace(ClosureURLFilter { url, _ in url } as any URLFilter) { $1(&$0.urlFilters) }
        expectInPlace(Sorted() as any ParameterTransform) { $1(&$0.parameterTransforms) }
    }

    private func expectInPlace<Element>(_ element: Element, _ change: (inout Options, (inout [Element]) -> Void) -> Void) {
        var options = Options(), addresses: Set<UnsafePointer<Element>?> = []
        change(&options) { $0.reserveCapacity(64) }
        // A copy would leave the former elements where they are until it is made, so it has another address.
        for _ in 0..<32 {
            change(&options) { list in
                list.append(element)
                addresses.insert(list.withUnsafeBufferPointer { $0.baseAddress })
            }
        }
        change(&options) { #expect($0.count == 32) }
        #expect(addresses.count == 1)
    }

    /// A getter and a setter would copy the collection with each change of an element.
    @Test func everySettingThatIsACollectionSaysHowItIsChangedInPlace() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let sources = root.appendingPathComponent("Sources")
        var settings = 0
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "swift" {
            let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
            for (line, next) in zip(lines, lines.dropFirst()) where line.contains("get { self[") && line.contains(", empty: ") {
                settings += 1
                #expect(next.contains("_modify { yield &self["), "\(file.lastPathComponent): \(line)")
            }
        }
        #expect(settings >= 10)
    }
}
