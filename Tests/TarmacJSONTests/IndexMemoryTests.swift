import Testing

@testable import TarmacJSON

@Suite struct IndexMemoryTests {
    private let many = "[" + String(repeating: "1,", count: 10_000) + "1]"

    @Test func anIndexBeyondItsLimitIsRefused() throws {
        // 10,001 elements, the array, and the word for what is not there.
        _ = try JSONDocument(many, options: .init(indexLimit: 10_003 * 8))
        for limit in [10_002 * 8, 4000, 8, 0, -1] {
            let error = #expect(throws: JSONError.self) { try JSONDocument(many, options: .init(indexLimit: limit)) }
            #expect(error?.code == .indexExceeded)
            #expect(error?.offset != nil)
        }
    }

    @Test func theIndexNeverReservesMoreThanItsLimit() throws {
        let document = try JSONDocument(many, options: .init(indexLimit: 100_000))
        #expect(document.peakIndexByteCount <= 100_000 + 3 * 8)
        for limit in [24, 32, 40, 64] {
            guard let small = try? JSONDocument("[1,2]", options: .init(indexLimit: limit)) else { continue }
            #expect(small.peakIndexByteCount <= limit + 3 * 8)
        }
    }

    @Test(arguments: ["[", "[[],", "{\"a\":", "\"abc", "1", "true", "[1,2", "{\"k\":[1,", ""])
    func noTextNeedsMoreThanFourTimesItsSize(_ unit: String) {
        let text = String(repeating: unit, count: 5000)
        guard let document = try? JSONDocument(text, options: .init(depthLimit: .max)) else { return }
        #expect(document.peakIndexByteCount <= text.utf8.count * 4 + 200)
    }

    /// What stands in an array of scalars may be one array that has all the words.
    @Test func roomIsMadeForAsMuchAsWasReadBefore() throws {
        #expect(DecodingContext.room(after: 0, of: 3) == 3)
        #expect(DecodingContext.room(after: 0, of: .max) == 16_384)
        #expect(DecodingContext.room(after: 16_384, of: .max) == 7 * 16_384)
        let decoder = TarmacJSONDecoder()
        for count in [0, 1, 16_383, 16_384, 16_385, 131_072, 131_073] {
            let numbers = Array(0..<count)
            let text = "[" + numbers.map(String.init).joined(separator: ",") + "]"
            #expect(try decoder.decode([Int].self, from: Array(text.utf8)) == numbers)
            #expect(throws: DecodingError.self) { try decoder.decode([Int].self, from: Array("\(text.dropLast())\(count == 0 ? "" : ",")\(many)]".utf8)) }
        }
    }

    @Test func thePeakIsThatOfGrowing() throws {
        let document = try JSONDocument(many)
        #expect(document.peakIndexByteCount >= document.indexByteCount)
        #expect(document.peakIndexByteCount <= many.utf8.count * 4 + 200)
    }

    /// Bare scalars and texts that were cut off end in no bracket; they are read in place like others.
    @Test(arguments: ["1", "-12.5e3", "true", "false", "null", "\"a\"", "  7  ", "\"\\u00e9\"", "123456789"])
    func bareScalarsAreReadToTheirLastByte(_ text: String) throws {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
        defer { bytes.deallocate() }
        bytes.copyBytes(from: text.utf8)
        let document = try JSONDocument(owner: Owner(), bytes: UnsafeRawBufferPointer(bytes))
        #expect(document.root.description == text.filter { $0 != " " })
    }

    private final class Owner: Sendable {}
}
