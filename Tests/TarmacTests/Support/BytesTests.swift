#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
@_spi(TarmacRooms) import TarmacCore
import Testing

@Suite struct BytesTests {
    private struct Owner: BytesOwner {
        let array: [UInt8]
        var count: Int { array.count }
        func withUnsafeBytes(_ body: (UnsafeRawBufferPointer) -> Void) { array.withUnsafeBytes(body) }
    }

    private static let array = Array(0..<200 as Range<UInt8>)
    private static let all: [Bytes] = [Bytes(array), Bytes(Data(array)), Bytes(Data([9] + array).dropFirst()), Bytes(owner: Owner(array: array))]

    @Test(arguments: all) func aCollectionOfItsBytes(bytes: Bytes) {
        #expect(bytes.elementsEqual(Self.array) && bytes.count == 200 && !bytes.isEmpty)
        #expect(bytes.indices.map { bytes[$0] } == Self.array)
        #expect(bytes.first == 0 && bytes.last == 199 && bytes.reversed().first == 199 && bytes.firstIndex(of: 7) == 7)
        #expect(Array(bytes.dropFirst(198)) == [198, 199] && Array(bytes[3..<5]) == [3, 4])
        #expect(String(decoding: bytes[65..<68], as: UTF8.self) == "ABC")
    }

    @Test(arguments: all) func itsBytesLieInOnePlace(bytes: Bytes) {
        #expect(bytes.withContiguousStorageIfAvailable { Array($0) } == Self.array)
        #expect(throws: CancellationError.self) { try bytes.withContiguousStorageIfAvailable { _ in throw CancellationError() } }
    }

    @Test(arguments: all) func anArrayAndADataOfIt(bytes: Bytes) {
        #expect(Array(bytes) == Self.array && [UInt8](bytes) == Self.array && Data(bytes) == Data(Self.array))
    }

    @Test func whatIsAnArrayOrADataAlreadyIsNotCopied() {
        let array = Self.array, data = Data(array)
        #expect(address(Array(Bytes(array))) == address(array))
        #expect(data.withUnsafeBytes { $0.baseAddress } == Data(Bytes(data)).withUnsafeBytes { $0.baseAddress })
    }

    private func address(_ array: [UInt8]) -> UnsafeRawPointer? { array.withUnsafeBytes { $0.baseAddress } }

    @Test func noBytes() {
        #expect(Bytes.empty.isEmpty && Array(Bytes.empty).isEmpty && Bytes.empty.first == nil)
        #expect(Bytes.empty.withContiguousStorageIfAvailable(\.count) == 0)
    }
}
